--- Windows that show graphs: read-only Python beside the code, which follows the server's results, and the cursor
--- from function to function. What links their lines with the code is `nst.link`.

local config = require('nst.config')
local link = require('nst.link')
local server = require('nst.server')

local M = {}

---@class nst.Node
---@field name string
---@field line integer in the graph's code, from 0, or -1
---@field range? lsp.Range in the source

---@class nst.Graph: the answer to `nst.graph` (docs/protocol.md)
---@field uri string of the graph
---@field file string URI of the source
---@field function string
---@field example integer
---@field examples integer
---@field title string
---@field code string
---@field operations integer
---@field validFor string
---@field stale boolean
---@field nodes nst.Node[]

--- What each graph buffer shows.
---@type table<integer, { graph: nst.Graph, source: integer }>
M.shown = {}

---@param text string
---@return string
local function in_winbar(text)
  return (text:gsub('%%', '%%%%'))
end

--- One line about the graph, for the top of its window.
---@param graph nst.Graph
---@return string
local function headline(graph)
  local parts = {
    '%#NstGraphTitle#' .. in_winbar(graph.title) .. '%*',
    graph.operations .. (graph.operations == 1 and ' operation' or ' operations'),
  }
  if graph.validFor ~= '' then
    table.insert(parts, 'valid for ' .. in_winbar(graph.validFor))
  end
  if graph.stale then
    table.insert(parts, '%#NstGraphStale#stale%*')
  end
  return table.concat(parts, ' · ')
end

--- What a window shows, if that is a graph.
---@param window integer
---@return { graph: nst.Graph, source: integer }?
local function shown_in(window)
  return vim.api.nvim_win_is_valid(window) and M.shown[vim.api.nvim_win_get_buf(window)] or nil
end

--- The windows of this tab page that show graphs of functions in a buffer.
---@param source integer
---@return integer[]
function M.windows(source)
  return vim.tbl_filter(function(window)
    local shown = shown_in(window)
    return shown ~= nil and shown.source == source
  end, vim.api.nvim_tabpage_list_wins(0))
end

--- The window of this tab page that shows a graph and was not told to stay with it.
---@return integer?
function M.follower()
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(window)
    return shown_in(window) and not vim.w[window].nst_pinned
  end)
end

--- The window of this tab page that shows one graph.
---@param uri string
---@return integer?
local function window_of(uri)
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):find(function(window)
    local shown = shown_in(window)
    return shown and shown.graph.uri == uri
  end)
end

---@param graph nst.Graph
---@return integer bufnr
local function new_buffer(graph)
  local bufnr = vim.api.nvim_create_buf(false, true)
  local example = graph.example > 0 and ('#%d'):format(graph.example + 1) or ''
  vim.api.nvim_buf_set_name(bufnr, ('nst://%s/%s%s'):format(vim.uri_to_fname(graph.file), graph['function'], example))
  M.shown[bufnr] = { graph = graph, source = vim.uri_to_bufnr(graph.file) }
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].filetype = 'python'
  vim.bo[bufnr].modifiable = false
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = bufnr, desc = 'Close the graph' })
  vim.keymap.set('n', '<CR>', '<Cmd>NstJump<CR>', { buffer = bufnr, desc = 'Go to the source of this operation' })
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = bufnr,
    callback = function()
      link.forget(bufnr)
      M.shown[bufnr] = nil
    end,
  })
  return bufnr
end

---@param client vim.lsp.Client
---@param graph nst.Graph
---@return integer bufnr
local function buffer_of(client, graph)
  local bufnr = vim.iter(pairs(M.shown)):find(function(_, other)
    return other.graph.uri == graph.uri
  end) or new_buffer(graph)
  M.shown[bufnr].graph = graph
  local lines = vim.split((graph.code:gsub('%s+$', '')), '\n')
  if not vim.deep_equal(lines, vim.api.nvim_buf_get_lines(bufnr, 0, -1, true)) then
    vim.bo[bufnr].modifiable = true
    vim.api.nvim_buf_set_lines(bufnr, 0, -1, true, lines)
    vim.bo[bufnr].modifiable = false
  end
  link.place(bufnr, M.shown[bufnr].source, graph.nodes, client.offset_encoding)
  return bufnr
end

---@param window integer
---@param graph nst.Graph
local function dress(window, graph)
  local options = vim.wo[window][0]
  if options.winbar == '' then -- it is new here: later the user's changes stay
    options.number, options.relativenumber, options.signcolumn = false, false, 'no'
    options.wrap, options.spell, options.list, options.cursorline = false, false, false, true
    options.foldmethod, options.foldignore, options.foldlevel, options.foldtext = 'indent', '', 99, ''
  end
  options.winbar = headline(graph)
end

--- Show a graph in a window of this tab page, which keeps the focus where it is.
---@param client vim.lsp.Client
---@param graph nst.Graph
---@param options? { window?: integer, pinned?: boolean } the window to use; else one that shows it, follows, or is new
---@return integer window
local function put(client, graph, options)
  options = options or {}
  local window = options.window or window_of(graph.uri) or (not options.pinned and M.follower() or nil)
  local bufnr = buffer_of(client, graph)
  if not window then
    window = vim.api.nvim_open_win(bufnr, false, { split = config.get().split })
  elseif vim.api.nvim_win_get_buf(window) ~= bufnr then
    vim.api.nvim_win_set_buf(window, bufnr)
  end
  vim.w[window].nst_pinned = options.pinned or vim.w[window].nst_pinned
  for _, other in ipairs(vim.fn.win_findbuf(bufnr)) do
    dress(other, graph)
  end
  link.update()
  return window
end

--- Show the graph of a function beside the code; the cursor stays where it is.
---@param client vim.lsp.Client
---@param where nst.Where
---@param options? { pinned?: boolean, on_shown?: fun(window: integer) }
function M.show(client, where, options)
  options = options or {}
  server.ask(client, 'nst.graph', where, function(graph)
    if not graph then
      server.say_no_graph(client)
      return
    end
    local window = put(client, graph, { pinned = options.pinned })
    if options.on_shown then
      options.on_shown(window)
    end
  end)
end

--- Show another graph in a window that shows one, if there is another. A graph that is gone stays as it was.
---@param client vim.lsp.Client
---@param window integer
---@param where nst.Where
local function turn_to(client, window, where)
  server.ask(client, 'nst.graph', where, function(graph)
    if graph and shown_in(window) then
      put(client, graph, { window = window })
    end
  end)
end

--- Ask again for every graph of a server that is open: for the example that is shown now, or in a window that is to
--- stay with a graph for that one's.
---@param client vim.lsp.Client
function M.refresh(client)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local shown = shown_in(window)
    if shown and client.attached_buffers[shown.source] then
      local graph, pinned = shown.graph, vim.w[window].nst_pinned
      local where = { uri = graph.file, ['function'] = graph['function'], example = pinned and graph.example or nil }
      turn_to(client, window, where)
    end
  end
end

--- The cursor is in a function now: the window that follows shows its graph.
---@param client vim.lsp.Client
---@param where { uri: string, function: string }
function M.follow(client, where)
  local window = config.get().follow and M.follower()
  local graph = window and shown_in(window).graph
  if window and (graph['function'] ~= where['function'] or graph.file ~= where.uri) then
    turn_to(client, window, where)
  end
end

return M
