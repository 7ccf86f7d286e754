--- Asking the server: which one, about which function, and what to say when there is no answer.

local M = {}

local NAME = 'nst'

--- What a command is about: a function by its name, or by a position.
---@class nst.Where
---@field uri string of the source
---@field position? lsp.Position
---@field function? string
---@field example? integer

---@param message string
---@param level? integer
function M.say(message, level)
  vim.notify('nst: ' .. message, level or vim.log.levels.INFO)
end

---@param bufnr integer
---@return vim.lsp.Client?
function M.of(bufnr)
  return vim.lsp.get_clients({ name = NAME, bufnr = bufnr })[1]
end

--- Why no server can be started, where its program is not there; Neovim itself tells that to its log alone.
---@return string?
function M.missing()
  local config = vim.lsp.config[NAME]
  local cmd = config and config.cmd
  if type(cmd) == 'table' and vim.fn.executable(cmd[1]) == 0 then
    local way_out = "name it: vim.lsp.config('nst', { cmd = { '/path/to/nst-lsp' } }), see :help nst-set-up"
    return ('%s is not an executable; %s'):format(cmd[1], way_out)
  end
end

--- The server of the current buffer and what the cursor is on; in a graph, its server and function.
--- Without a server, the user is told where to look.
---@return vim.lsp.Client?
---@return nst.Where
---@return integer source
function M.here()
  local bufnr = vim.api.nvim_get_current_buf()
  local shown = require('nst.graph').shown[bufnr]
  local source = shown and shown.source or bufnr
  local client = M.of(source)
  if not client then
    M.say(M.missing() or 'no server is attached to this buffer, see :checkhealth nst', vim.log.levels.WARN)
    return nil, {}, source
  end
  if shown then
    local graph = shown.graph
    return client, { uri = graph.file, ['function'] = graph['function'], example = graph.example }, source
  end
  local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
  return client, { uri = at.textDocument.uri, position = at.position }, source
end

--- Run one of the server's commands (docs/protocol.md); an error is told, and then `on_result` is not called.
---@param client vim.lsp.Client
---@param command string
---@param argument table?
---@param on_result? fun(result: any)
function M.ask(client, command, argument, on_result)
  local offered = vim.tbl_get(client.server_capabilities, 'executeCommandProvider', 'commands') or {}
  if not vim.list_contains(offered, command) then
    M.say(('this server does not know %s: it needs an update'):format(command), vim.log.levels.ERROR)
    return
  end
  local params = { command = command, arguments = argument and { argument } or nil }
  client:request('workspace/executeCommand', params, function(err, result)
    if err then
      M.say(err.message, vim.log.levels.ERROR)
    elseif on_result then
      on_result(result)
    end
  end)
end

--- There is no graph: say what stands in the way of one, or how to get it.
---@param client vim.lsp.Client
function M.say_no_graph(client)
  local trouble = require('nst.status').trouble(client)
  if trouble then
    M.say('no graph here yet: ' .. trouble, vim.log.levels.WARN)
  else
    M.say('no graph here yet: put `# nst: example(…)` above the function (:NstExample add), and save')
  end
end

--- The example of a function, and what became of it.
---@class nst.Example
---@field index integer from 0
---@field source string
---@field origin string
---@field status 'traced'|'partial'|'failed'
---@field verdict 'agrees'|'differs'|'unverified'
---@field operations? integer
---@field validFor string

---@class nst.Traced
---@field function string
---@field range? lsp.Range of its name
---@field example integer
---@field examples nst.Example[]
---@field witnesses { code: string, arguments: string }[]

--- The functions of this file, or the one under the cursor, for a command line that cannot wait for long.
---@param under_cursor? boolean
---@return nst.Traced[]
function M.functions_now(under_cursor)
  local client = M.of(0)
  if not client then
    return {}
  end
  local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local where = { uri = at.textDocument.uri, position = under_cursor and at.position or nil }
  local params = { command = 'nst.functions', arguments = { where } }
  local answer = client:request_sync('workspace/executeCommand', params, 1000)
  return answer and answer.result or {}
end

return M
