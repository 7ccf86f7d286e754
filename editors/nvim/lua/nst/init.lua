--- What Neovim does for nst-lsp beyond the protocol: it keeps code lenses fresh and offers commands.
--- Diagnostics, hover and code actions are Neovim's own; the windows with graphs are `nst.graph`.

local M = {}

local NAME = 'nst'

---@return vim.lsp.Client?
local function client_here()
  local client = vim.lsp.get_clients({ name = NAME, bufnr = 0 })[1]
  if not client then
    vim.notify('nst: no server is attached to this buffer, see :checkhealth nst', vim.log.levels.WARN)
  end
  return client
end

--- Ask for the lenses and draw them. `vim.lsp.codelens.refresh` would do so too, but skips a request while an
--- earlier one is under way, and then the old lenses stay. From 0.12 on Neovim keeps lenses by itself.
---@param client vim.lsp.Client
---@param bufnr integer
local function draw_lenses(client, bufnr)
  if not vim.lsp.codelens.enable and vim.api.nvim_buf_is_loaded(bufnr) then
    local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
    client:request('textDocument/codeLens', params, vim.lsp.codelens.on_codelens, bufnr)
  end
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.on_attach(client, bufnr)
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = bufnr })
    return
  end
  draw_lenses(client, bufnr)
  vim.api.nvim_create_autocmd({ 'InsertLeave', 'TextChanged' }, {
    group = vim.api.nvim_create_augroup('nst.lenses.' .. bufnr, {}),
    buffer = bufnr,
    desc = 'Draw the lenses of changed lines again',
    callback = function()
      draw_lenses(client, bufnr)
    end,
  })
end

--- The server has new results: bring lenses and open graphs up to date.
---@param client vim.lsp.Client
function M.on_results(client)
  for bufnr in pairs(client.attached_buffers) do
    draw_lenses(client, bufnr)
  end
  require('nst.graph').refresh(client)
end

--- The client's side of the command `nst.showGraph` in code lenses and code actions.
---@param command lsp.Command
---@param context { bufnr: integer, client_id: integer }
function M.on_show_graph(command, context)
  local client = assert(vim.lsp.get_client_by_id(context.client_id))
  require('nst.graph').show(client, command.arguments[1])
  -- Neovim 0.11 takes a lens away when it is run.
  draw_lenses(client, context.bufnr)
end

--- `:NstGraph`: the graph of the function under the cursor.
function M.show_graph()
  local client = client_here()
  if client then
    local here = vim.lsp.util.make_position_params(0, client.offset_encoding)
    require('nst.graph').show(client, { uri = here.textDocument.uri, position = here.position })
  end
end

--- `:NstRetrace`: trace this file again, whether it has changed or not.
function M.retrace()
  local client = client_here()
  if client then
    client:exec_cmd({ title = 'Retrace', command = 'nst.retrace', arguments = { { uri = vim.uri_from_bufnr(0) } } })
  end
end

--- `:NstLogs`: the last lines of the server's log, which the server has Neovim open.
function M.show_logs()
  local client = client_here()
  if client then
    client:exec_cmd({ title = 'Show logs', command = 'nst.showLogs' })
  end
end

--- `:NstDoctor`: versions, interpreters, workers and settings, as text for a bug report.
function M.doctor()
  local client = client_here()
  if not client then
    return
  end
  client:request('workspace/executeCommand', { command = 'nst.doctor' }, function(err, report)
    if err then
      vim.notify('nst: ' .. err.message, vim.log.levels.ERROR)
      return
    end
    vim.cmd.new()
    vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
    vim.api.nvim_buf_set_lines(0, 0, -1, true, vim.split(vim.trim(report.text), '\n'))
    vim.bo.modifiable = false
  end)
end

--- `:NstRestart`: end the server, by force if it does not answer, and start it anew.
function M.restart()
  for _, client in ipairs(vim.lsp.get_clients({ name = NAME })) do
    vim.defer_fn(function()
      if not client.rpc.is_closing() then
        client.rpc.terminate()
      end
    end, 3000)
  end
  vim.lsp.enable(NAME, false)
  vim.lsp.enable(NAME)
end

return M
