--- `:NstCompare`: run the function and its graph on other arguments, and show what each gave.

local server = require('nst.server')

local M = {}

---@class nst.Comparison: the answer to `nst.compare` (docs/protocol.md)
---@field error? string
---@field equal boolean
---@field function string
---@field graph string
---@field guards_failed string[]
---@field places (lsp.Location|vim.NIL)[] of these guards
---@field name string
---@field arguments string

---@param text string
---@return string[]
local function block(text)
  return vim.list_extend({ '```python' }, vim.list_extend(vim.split(vim.trim(text), '\n'), { '```' }))
end

---@param compared nst.Comparison
---@return string[] lines of Markdown
local function report(compared)
  local verdict = compared.equal and 'equal' or '**differs**'
  local lines = { ('`%s(%s)`: %s'):format(compared.name, compared.arguments, verdict), '' }
  if compared.equal then
    vim.list_extend(lines, block(compared['function']))
  else
    vim.list_extend(lines, { 'The function gave' })
    vim.list_extend(lines, block(compared['function']))
    vim.list_extend(lines, { 'The graph gave' })
    vim.list_extend(lines, block(compared.graph))
  end
  if #compared.guards_failed > 0 then
    vim.list_extend(lines, { 'The graph is not made for it:' })
  end
  for number, guard in ipairs(compared.guards_failed) do
    local place = compared.places[number]
    local line = type(place) == 'table' and (' (line %d)'):format(place.range.start.line + 1) or ''
    table.insert(lines, ('- `%s` does not hold%s'):format(guard, line))
  end
  return lines
end

---@param client vim.lsp.Client
---@param compared nst.Comparison?
local function show(client, compared)
  if not compared then
    server.say_no_graph(client)
  elseif compared.error then
    server.say(compared.error, vim.log.levels.WARN)
  else
    local options = { focus_id = 'nst.compare', border = 'rounded', title = ' nst compare ', max_width = 100 }
    vim.lsp.util.open_floating_preview(report(compared), 'markdown', options)
  end
end

---@param client vim.lsp.Client
---@param where nst.Where
---@param arguments string
local function compare(client, where, arguments)
  local about = vim.tbl_extend('force', where, { arguments = arguments, example = vim.NIL })
  server.ask(client, 'nst.compare', about, function(compared)
    show(client, compared)
  end)
end

--- Ask for the arguments, those of the example that is shown being there to be changed.
---@param client vim.lsp.Client
---@param where nst.Where
local function ask(client, where)
  server.ask(client, 'nst.functions', where, function(functions)
    local traced = functions[1]
    if not traced then
      server.say_no_graph(client)
      return
    end
    local example = vim.iter(traced.examples):find(function(one)
      return one.index == traced.example
    end)
    local prompt = {
      prompt = traced['function'] .. ' on: ',
      default = example.source,
      completion = "customlist,v:lua.require'nst'.known_arguments", -- all: they take the place of the default
    }
    vim.ui.input(prompt, function(arguments)
      if arguments then
        compare(client, where, arguments)
      end
    end)
  end)
end

--- Compare the function under the cursor with its graph.
---@param arguments? string Python text such as `np.ones(4), 2.0`
function M.run(arguments)
  local client, where = server.here()
  if not client then
    return
  end
  if arguments then
    compare(client, where, arguments)
  else
    ask(client, where)
  end
end

return M
