--- What a user may set: the table `vim.g.nst`, without a call of any set-up function (|nst-config|).

local M = {}

---@class nst.Config
---@field split 'left'|'right'|'above'|'below' where the window with a graph opens
---@field follow boolean whether that window shows the graph of whatever function the cursor is in
---@field delay integer milliseconds without a move of the cursor after which followers are told of it
---@field open fun(url: string): vim.SystemObj?, string? opens a graph page in a browser, as |vim.ui.open()| does

---@type nst.Config
local defaults = {
  split = 'right',
  follow = true,
  delay = 100,
  open = function(url)
    return vim.ui.open(url)
  end,
}

---@param value any
---@return boolean
local function is_side(value)
  return vim.list_contains({ 'left', 'right', 'above', 'below' }, value)
end

local function is_delay(value)
  return type(value) == 'number' and value >= 0
end

local expected = {
  split = { is_side, "one of 'left', 'right', 'above', 'below'" },
  follow = { 'boolean' },
  delay = { is_delay, 'a number of milliseconds' },
  open = { 'callable' },
}

---@return table
local function given()
  local set = vim.g.nst
  if type(set) == 'function' then
    set = set()
  end
  return set == nil and {} or set
end

---@param name string
---@param value any
---@return string? problem
local function problem(name, value)
  local wanted = expected[name]
  if not wanted then
    return ('vim.g.nst: there is no setting %s'):format(name)
  end
  local fits, message = pcall(vim.validate, 'vim.g.nst.' .. name, value, wanted[1], false, wanted[2])
  return not fits and message or nil
end

--- What is wrong with `vim.g.nst`, for |:checkhealth|.
---@return string[]
function M.problems()
  local set = given()
  if type(set) ~= 'table' then
    return { 'vim.g.nst: a table is expected, not a ' .. type(set) }
  end
  local found = {}
  for name, value in vim.spairs(set) do
    table.insert(found, problem(name, value))
  end
  return found
end

--- The settings that hold now; the default stands where a value is none that can be taken.
---@return nst.Config
function M.get()
  local set, config = given(), vim.deepcopy(defaults)
  for name, value in pairs(type(set) == 'table' and set or {}) do
    if not problem(name, value) then
      config[name] = value
    end
  end
  return config
end

return M
