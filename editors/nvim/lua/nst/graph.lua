--- Windows that show graphs: read-only Python beside the code, which follows the server's results.

local M = {}

---@class nst.Graph: the answer to `nst.graph`, as far as it is used here (docs/protocol.md)
---@field uri string of the graph
---@field file string URI of the source
---@field function string
---@field example integer
---@field title string
---@field code string
---@field operations integer
---@field validFor string
---@field stale boolean
---@field nodes { line: integer, range?: lsp.Range }[]

--- The graph that each graph buffer shows.
---@type table<integer, nst.Graph>
local shown = {}

---@param client vim.lsp.Client
---@param where table names a function of a file
---@param on_graph fun(graph: nst.Graph?)
local function request(client, where, on_graph)
  local params = { command = 'nst.graph', arguments = { where } }
  client:request('workspace/executeCommand', params, function(err, graph)
    if err then
      vim.notify('nst: ' .. err.message, vim.log.levels.ERROR)
    else
      on_graph(graph)
    end
  end)
end

--- One line about the graph, for the top of its window.
---@param graph nst.Graph
---@return string
local function headline(graph)
  local parts = { graph.title, graph.operations .. (graph.operations == 1 and ' op' or ' ops') }
  if graph.validFor ~= '' then
    table.insert(parts, 'valid for ' .. graph.validFor)
  end
  if graph.stale then
    table.insert(parts, 'stale')
  end
  return (table.concat(parts, ' · '):gsub('%%', '%%%%'))
end

---@param bufnr integer
---@param graph nst.Graph
local function fill(bufnr, graph)
  shown[bufnr] = graph
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, true, vim.split(vim.trim(graph.code), '\n'))
  vim.bo[bufnr].modifiable = false
  for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do
    vim.wo[window].winbar = headline(graph)
  end
end

--- Go to the source of the graph's line under the cursor.
---@param client vim.lsp.Client
---@param bufnr integer
local function go_to_source(client, bufnr)
  local graph, line = shown[bufnr], vim.api.nvim_win_get_cursor(0)[1] - 1
  for _, node in ipairs(graph.nodes) do
    if node.line == line and type(node.range) == 'table' then
      local location = { uri = graph.file, range = node.range }
      vim.lsp.util.show_document(location, client.offset_encoding, { reuse_win = true, focus = true })
      return
    end
  end
end

---@param client vim.lsp.Client
---@param graph nst.Graph
---@return integer bufnr
local function new_buffer(client, graph)
  local bufnr = vim.api.nvim_create_buf(false, true)
  local example = graph.example > 0 and ('#%d'):format(graph.example + 1) or ''
  vim.api.nvim_buf_set_name(bufnr, ('nst://%s/%s%s'):format(vim.uri_to_fname(graph.file), graph['function'], example))
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].filetype = 'python'
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = bufnr, desc = 'Close the graph' })
  vim.keymap.set('n', '<CR>', function()
    go_to_source(client, bufnr)
  end, { buffer = bufnr, desc = 'Go to the source of this operation' })
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = bufnr,
    callback = function()
      shown[bufnr] = nil
    end,
  })
  return bufnr
end

--- Show the graph of a function beside the code; the cursor stays where it is.
---@param client vim.lsp.Client
---@param where table names a function of a file, as the server's commands take it
function M.show(client, where)
  request(client, where, function(graph)
    if not graph then
      vim.notify('nst: no graph here yet: put `# nst: example(…)` above the function, and save', vim.log.levels.INFO)
      return
    end
    local bufnr = vim.iter(pairs(shown)):find(function(_, other)
      return other.uri == graph.uri
    end)
    if not bufnr then
      bufnr = new_buffer(client, graph)
      vim.api.nvim_open_win(bufnr, false, { split = 'right' })
    end
    fill(bufnr, graph)
  end)
end

--- Ask again for every graph that is open. One that is gone stays as it was.
---@param client vim.lsp.Client
function M.refresh(client)
  for bufnr, graph in pairs(shown) do
    local where = { uri = graph.file, ['function'] = graph['function'], example = graph.example }
    request(client, where, function(now)
      if now and vim.api.nvim_buf_is_valid(bufnr) then
        fill(bufnr, now)
      end
    end)
  end
end

return M
