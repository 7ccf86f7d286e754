--- `:NstJump`: from an operation to the code that made it, and from the code to its operations.

local graph = require('nst.graph')
local link = require('nst.link')
local server = require('nst.server')

local M = {}

--- Go to a place, and leave word in the jump list of where one was in that window.
---@param window integer
---@param row integer from 0
---@param col integer in bytes
local function go_to(window, row, col)
  vim.api.nvim_set_current_win(window)
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(window, { row + 1, col })
  vim.cmd('normal! zv')
end

--- A window of this tab page with the code; the code takes the place of the window before, if there is none.
---@param bufnr integer
---@return integer
local function window_with(bufnr)
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(window) == bufnr then
      return window
    end
  end
  return vim.api.nvim_open_win(bufnr, false, { split = 'left' })
end

---@param bufnr integer of a graph
local function to_source(bufnr)
  local spot = link.source_of(bufnr, vim.api.nvim_win_get_cursor(0)[1] - 1)
  if spot then
    go_to(window_with(graph.shown[bufnr].source), spot.row, spot.col)
  else
    server.say('no code of this file made this line')
  end
end

--- The first line, from 0, that the code at a place made of the graph in a window.
---@param window integer
---@param at [integer, integer] row from 1, column in bytes
---@return integer?
local function line_in(window, at)
  return link.lines_of(vim.api.nvim_win_get_buf(window), at[1] - 1, at[2])[1]
end

--- To the first window that shows an operation which the code under the cursor made, be it of this function or of one
--- that calls it; else to the graph of this function, which is opened for it.
local function to_graph()
  local at, bufnr = vim.api.nvim_win_get_cursor(0), vim.api.nvim_get_current_buf()
  for _, window in ipairs(graph.windows(bufnr)) do
    local line = line_in(window, at)
    if line then
      go_to(window, line, 0)
      return
    end
  end
  local client, where = server.here()
  if client then
    graph.show(client, where, {
      on_shown = function(window)
        local line = line_in(window, at)
        if line then
          go_to(window, line, 0)
        else
          server.say('the code here made no operation of the graph')
        end
      end,
    })
  end
end

function M.jump()
  local bufnr = vim.api.nvim_get_current_buf()
  if graph.shown[bufnr] then
    to_source(bufnr)
  else
    to_graph()
  end
end

return M
