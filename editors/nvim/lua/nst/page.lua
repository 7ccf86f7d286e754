--- The graph as a page in the browser, which follows the cursor.

local config = require('nst.config')
local server = require('nst.server')

local M = {}

--- The servers, by client, of which a page was opened.
---@type table<integer, true>
M.serving = {}

--- Open the page of a function. Neovim's own answer to `window/showDocument` would wait for the program that opens it.
---@param client vim.lsp.Client
---@param where nst.Where
function M.open(client, where)
  server.ask(client, 'nst.openPage', where, function(answer)
    if not answer then
      return -- the server has said why
    end
    M.serving[client.id] = true
    local _, trouble = config.get().open(answer.url)
    if trouble then
      server.say(('the graph is at %s (it could not be opened: %s)'):format(answer.url, trouble), vim.log.levels.WARN)
    else
      server.say('the graph is at ' .. answer.url)
    end
  end)
end

return M
