--- Which code made which line of a graph. Every node has an extmark in the source, so that its place moves along while
--- the text is edited. What belongs together is lit while the cursor moves, in either window.

local M = {}

local places = vim.api.nvim_create_namespace('nst.places')
local lit = vim.api.nvim_create_namespace('nst.lit')

---@class nst.Placed
---@field source integer the buffer with the code
---@field lines table<integer, integer> by extmark in the source: a line of the graph, from 0

--- By graph buffer.
---@type table<integer, nst.Placed>
local placed = {}

--- A range of the source, and the line of a graph that it made.
---@class nst.Spot
---@field row integer
---@field col integer
---@field end_row integer
---@field end_col integer
---@field graph integer
---@field line integer

---@param source integer
---@param position lsp.Position
---@param encoding string
---@return integer row
---@return integer col in bytes
local function bytes(source, position, encoding)
  local line = vim.api.nvim_buf_get_lines(source, position.line, position.line + 1, false)[1] or ''
  return position.line, vim.str_byteindex(line, encoding, position.character, false)
end

--- Remember where the nodes of a graph come from.
---@param graph integer
---@param source integer
---@param nodes nst.Node[]
---@param encoding string of the positions
function M.place(graph, source, nodes, encoding)
  M.forget(graph)
  placed[graph] = { source = source, lines = {} }
  if not vim.api.nvim_buf_is_loaded(source) then
    return
  end
  for _, node in ipairs(nodes) do
    if node.line >= 0 and type(node.range) == 'table' then
      local row, col = bytes(source, node.range.start, encoding)
      local end_row, end_col = bytes(source, node.range['end'], encoding)
      local mark = vim.api.nvim_buf_set_extmark(source, places, row, col, {
        end_row = end_row,
        end_col = end_col,
        invalidate = true,
        undo_restore = false,
        strict = false,
      })
      placed[graph].lines[mark] = node.line
    end
  end
end

--- A graph is no longer shown.
---@param graph integer
function M.forget(graph)
  local known = placed[graph]
  placed[graph] = nil
  if known and vim.api.nvim_buf_is_valid(known.source) then
    for mark in pairs(known.lines) do
      vim.api.nvim_buf_del_extmark(known.source, places, mark)
    end
    vim.api.nvim_buf_clear_namespace(known.source, lit, 0, -1)
  end
end

--- Whether some graph that is shown comes from this buffer.
---@param source integer
---@return boolean
function M.is_source(source)
  return vim.iter(pairs(placed)):any(function(_, known)
    return known.source == source
  end)
end

---@param source integer
---@param mark vim.api.keyset.get_extmark_item
---@return nst.Spot?
local function spot(source, mark)
  local id, row, col, details = mark[1], mark[2], mark[3], mark[4]
  for graph, known in pairs(placed) do
    local line = known.source == source and known.lines[id]
    if line and not details.invalid then
      return { row = row, col = col, end_row = details.end_row, end_col = details.end_col, graph = graph, line = line }
    end
  end
end

---@param one nst.Spot
---@param other nst.Spot
---@return boolean
local function is_smaller(one, other)
  local rows, other_rows = one.end_row - one.row, other.end_row - other.row
  return rows < other_rows or (rows == other_rows and one.end_col - one.col < other.end_col - other.col)
end

---@param one nst.Spot
---@param row integer
---@param col integer
---@return boolean
local function covers(one, row, col)
  local begins = one.row < row or (one.row == row and one.col <= col)
  return begins and (row < one.end_row or (row == one.end_row and col < one.end_col))
end

--- What the smallest expression at a place made; where there is none, what its line did.
---@param source integer
---@param row integer
---@param col integer
---@return nst.Spot[]
local function spots_at(source, row, col)
  local found, smallest = {}, nil
  local options = { overlap = true, details = true }
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(source, places, { row, 0 }, { row, -1 }, options)) do
    local one = spot(source, mark)
    if one then
      table.insert(found, one)
      if covers(one, row, col) and (not smallest or is_smaller(one, smallest)) then
        smallest = one
      end
    end
  end
  return vim.tbl_filter(function(one)
    if smallest then
      return not is_smaller(smallest, one) and not is_smaller(one, smallest) and covers(one, row, col)
    end
    return one.row == row
  end, found)
end

--- The lines, from 0 and in order, that the code at a place made of a graph.
---@param graph integer
---@param row integer
---@param col integer
---@return integer[]
function M.lines_of(graph, row, col)
  local lines = {}
  for _, one in ipairs(spots_at(placed[graph].source, row, col)) do
    if one.graph == graph then
      table.insert(lines, one.line)
    end
  end
  table.sort(lines)
  return vim.fn.uniq(lines)
end

--- Where a line of a graph comes from: the largest expression, as a line may hold several operations.
---@param graph integer
---@param line integer from 0
---@return nst.Spot?
function M.source_of(graph, line)
  local known, largest = placed[graph], nil
  for mark, its in pairs(known.lines) do
    if its == line then
      local item = vim.api.nvim_buf_get_extmark_by_id(known.source, places, mark, { details = true })
      local one = item[1] and spot(known.source, { mark, item[1], item[2], item[3] })
      if one and (not largest or is_smaller(largest, one)) then
        largest = one
      end
    end
  end
  return largest
end

---@param graph integer
local function light_source(graph)
  local one = M.source_of(graph, vim.api.nvim_win_get_cursor(0)[1] - 1)
  if one then
    vim.hl.range(placed[graph].source, lit, 'NstSource', { one.row, one.col }, { one.end_row, one.end_col })
  end
end

--- Light the lines of every graph in this tab page, and bring the first of them into view.
---@param source integer
local function light_graphs(source)
  local at = vim.api.nvim_win_get_cursor(0)
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local graph = vim.api.nvim_win_get_buf(window)
    if placed[graph] and placed[graph].source == source then
      local lines = M.lines_of(graph, at[1] - 1, at[2])
      for _, line in ipairs(lines) do
        vim.api.nvim_buf_set_extmark(graph, lit, line, 0, { line_hl_group = 'NstOperation', strict = false })
      end
      if lines[1] and lines[1] < vim.api.nvim_buf_line_count(graph) then
        vim.api.nvim_win_set_cursor(window, { lines[1] + 1, 0 })
      end
    end
  end
end

--- Light what belongs to the place where the cursor is.
function M.update()
  for graph, known in pairs(placed) do
    for _, bufnr in ipairs({ graph, known.source }) do
      if vim.api.nvim_buf_is_loaded(bufnr) then
        vim.api.nvim_buf_clear_namespace(bufnr, lit, 0, -1)
      end
    end
  end
  local current = vim.api.nvim_get_current_buf()
  if placed[current] then
    light_source(current)
  elseif M.is_source(current) then
    light_graphs(current)
  end
end

return M
