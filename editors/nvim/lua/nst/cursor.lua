--- What is done when the cursor moves: at once what belongs together is lit; once it rests, the server is told where it
--- is, for pages, and says in which function that is, for the window that follows.

local config = require('nst.config')
local graph = require('nst.graph')
local link = require('nst.link')
local page = require('nst.page')
local server = require('nst.server')

local M = {}

local moves = 0

--- Tell the server where the cursor is, if a page or a window wants to know.
function M.tell()
  local bufnr = vim.api.nvim_get_current_buf()
  local client = server.of(bufnr)
  if not client or graph.shown[bufnr] or not (page.serving[client.id] or graph.follower()) then
    return
  end
  local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
  server.ask(client, 'nst.cursor', { uri = at.textDocument.uri, position = at.position }, function(where)
    if where and vim.api.nvim_get_current_buf() == bufnr then
      graph.follow(client, where)
    end
  end)
end

--- The cursor has moved.
function M.moved()
  link.update()
  moves = moves + 1
  local this = moves
  vim.defer_fn(function()
    if this == moves then
      M.tell()
    end
  end, config.get().delay)
end

return M
