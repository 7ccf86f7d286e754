--- What the servers say of themselves (`experimental/serverStatus`, docs/protocol.md), for status lines.

local server = require('nst.server')

local M = {}

---@class nst.Status
---@field health 'ok'|'warning'|'error'
---@field quiescent boolean
---@field message? string
---@field interpreters? { root: string, python: string, name: string }[]

--- By client.
---@type table<integer, nst.Status>
local known = {}

---@param client_id integer
---@param status nst.Status?
function M.set(client_id, status)
  known[client_id] = status
  vim.api.nvim_exec_autocmds('User', { pattern = 'NstStatus', modeline = false })
  vim.cmd.redrawstatus({ bang = true })
end

--- What the server of a buffer last said.
---@param bufnr integer
---@return nst.Status?
function M.of(bufnr)
  local client = server.of(bufnr)
  return client and known[client.id]
end

--- What stands in the way of results, or is going on that will bring them; nil when all is well and quiet.
---@param client vim.lsp.Client
---@return string?
function M.trouble(client)
  local status = known[client.id]
  return status and status.message
end

--- In a few words; empty where no server is.
---@param bufnr integer
---@return string
function M.text(bufnr)
  local status = M.of(bufnr)
  if not status then
    return ''
  end
  local sign = ({ warning = ' ⚠', error = ' ✗' })[status.health] or ''
  return 'nst' .. sign .. (status.message and ': ' .. status.message or '')
end

return M
