--- What Neovim does for nst-lsp beyond the protocol. Diagnostics, hover, code actions, hints and progress are Neovim's
--- own; here is what commands, events and status lines call.

local server = require('nst.server')

local M = {}

--- The state of a buffer's server in a few words, for a status line: `nst`, `nst: tracing model.py`; empty without one.
---@param bufnr? integer
---@return string
function M.status(bufnr)
  return require('nst.status').text(bufnr or vim.api.nvim_get_current_buf())
end

--- The same as data.
---@param bufnr? integer
---@return nst.Status?
function M.server_status(bufnr)
  return require('nst.status').of(bufnr or vim.api.nvim_get_current_buf())
end

-- ---- commands ------------------------------------------------------------------------------------------------------

--- `:NstGraph`: the graph of the function under the cursor, or of another one of this file.
---@param name? string of the function; its window stays with it
---@param pinned? boolean the window stays with this function in any case
function M.show_graph(name, pinned)
  local client, where = server.here()
  if client and name then
    require('nst.graph').show(client, { uri = where.uri, ['function'] = name }, { pinned = true })
  elseif client then
    require('nst.graph').show(client, where, { pinned = pinned })
  end
end

--- `:NstJump`: from the code to the operations that it made, and back.
function M.jump()
  require('nst.jump').jump()
end

--- `:NstPage`: the graph in the browser.
function M.open_page()
  local client, where = server.here()
  if client then
    require('nst.page').open(client, where)
  end
end

--- `:NstExample`: choose the example that is shown, or write one.
---@param what? string `add`, `next` or a number from 1
function M.example(what)
  local examples = require('nst.examples')
  if what == 'add' then
    examples.add()
  else
    examples.switch(what)
  end
end

--- `:NstCompare`: function and graph on other arguments.
---@param arguments? string
function M.compare(arguments)
  require('nst.compare').run(arguments)
end

--- `:NstStudy`: what one of PyTorch's own tracers says of the function under the cursor.
---@param kind string
function M.study(kind)
  require('nst.study').run(kind)
end

--- `:NstDiff`: the graph before and after the save that last changed it.
function M.diff()
  require('nst.changes').run()
end

--- `:NstRetrace`: trace this file, or all open files, again, whether they have changed or not.
---@param all? boolean
function M.retrace(all)
  local client, where = server.here()
  if client then
    server.ask(client, 'nst.retrace', not all and { uri = where.uri } or nil)
  end
end

--- `:NstLogs`: the last lines of the server's log, which the server has Neovim open.
function M.show_logs()
  local client = server.here()
  if client then
    server.ask(client, 'nst.showLogs')
  end
end

--- `:NstDoctor`: versions, interpreters, workers and settings, as text for a bug report.
function M.doctor()
  local client = server.here()
  if not client then
    return
  end
  server.ask(client, 'nst.doctor', nil, function(report)
    vim.cmd.new()
    vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
    vim.api.nvim_buf_set_lines(0, 0, -1, true, vim.split(vim.trim(report.text), '\n'))
    vim.bo.modifiable = false
  end)
end

--- `:NstRestart`: end the server, by force if it does not answer, and start it anew.
function M.restart()
  for _, client in ipairs(vim.lsp.get_clients({ name = 'nst' })) do
    vim.defer_fn(function()
      if not client.rpc.is_closing() then
        client.rpc.terminate()
      end
    end, 3000)
  end
  vim.lsp.enable('nst', false)
  vim.lsp.enable('nst')
end

-- ---- completion of their arguments ---------------------------------------------------------------------------------

--- The names of the functions of this file that have graphs.
---@return string[]
function M.function_names()
  return vim.tbl_map(function(traced)
    return traced['function']
  end, server.functions_now())
end

--- What `:NstExample` can be followed by.
---@return string[]
function M.example_words()
  local traced = server.functions_now(true)[1]
  local numbers = vim.tbl_map(function(example)
    return tostring(example.index + 1)
  end, traced and traced.examples or {})
  return vim.list_extend({ 'add', 'next' }, numbers)
end

--- What `:NstStudy` can be followed by.
---@return string[]
function M.study_kinds()
  return require('nst.study').kinds
end

--- Arguments that `:NstCompare` can begin with: the function's examples, and what its findings have as witnesses.
---@return string[]
function M.known_arguments()
  local traced = server.functions_now(true)[1] or { examples = {}, witnesses = {} }
  local texts = {}
  for _, example in ipairs(traced.examples) do
    table.insert(texts, example.source)
  end
  for _, witness in ipairs(traced.witnesses) do
    table.insert(texts, witness.arguments)
  end
  return texts
end

-- ---- events --------------------------------------------------------------------------------------------------------

--- The client's side of a command of code lenses and code actions.
---@param command lsp.Command
---@param context { bufnr: integer, client_id: integer }
function M.on_command(command, context)
  local client = assert(vim.lsp.get_client_by_id(context.client_id))
  local where = assert(command.arguments)[1]
  if command.command == 'nst.openPage' then
    require('nst.page').open(client, where)
  elseif command.command == 'nst.showStudy' then
    require('nst.study').ask(client, where)
  else
    require('nst.graph').show(client, where)
  end
  require('nst.lenses').draw(client, context.bufnr) -- Neovim 0.11 takes a lens away when it is run
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.on_attach(client, bufnr)
  require('nst.lenses').attach(client, bufnr)
end

--- The server has new results: bring lenses and open graphs up to date.
---@param client vim.lsp.Client
function M.on_results(client)
  for bufnr in pairs(client.attached_buffers) do
    require('nst.lenses').draw(client, bufnr)
  end
  require('nst.graph').refresh(client)
end

return M
