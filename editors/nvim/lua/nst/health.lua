--- `:checkhealth nst`: is everything there that the server needs, and does it run?

local M = {}

local health = vim.health

---@return boolean
local function check_neovim()
  health.start('Neovim')
  if vim.fn.has('nvim-0.11') == 0 then
    health.error('Neovim 0.11 or later is needed', 'Without this plugin older versions work too, see editors/README.md')
    return false
  end
  local version = vim.version()
  health.ok(('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch))
  if vim.lsp.is_enabled('nst') then
    health.ok('the server is enabled')
  else
    health.warn('the server is not enabled', "Add vim.lsp.enable('nst') to your init.lua")
  end
  return true
end

--- The command that starts the server, unless it is a function.
---@return string[]?
local function command()
  local cmd = vim.lsp.config.nst.cmd
  if type(cmd) == 'table' then
    return cmd
  end
  health.info('the server is started by a function')
end

---@param cmd string[]
local function check_server(cmd)
  health.start('Server')
  local path = vim.fn.exepath(cmd[1])
  if path == '' then
    health.error(cmd[1] .. ' is not an executable', {
      'Install it: pip install nst-lsp',
      "Or name it: vim.lsp.config('nst', { cmd = { '/path/to/nst-lsp' } })",
    })
    return
  end
  local asked = vim.system({ path, '--help' }, { text = true, timeout = 10000 }):wait()
  if asked.code == 0 then
    health.ok(path)
  else
    health.error(path .. ' does not run', vim.split(vim.trim(asked.stderr), '\n'))
  end
end

local function check_clients()
  health.start('Running')
  local clients = vim.lsp.get_clients({ name = 'nst' })
  if #clients == 0 then
    health.info('no server is running; it starts with the first Python file')
  end
  for _, client in ipairs(clients) do
    local server = client.server_info or { name = client.name }
    health.ok(
      ('%s %s in %s: %d buffer(s), columns in %s'):format(
        server.name,
        server.version or '',
        client.root_dir or 'no project',
        vim.tbl_count(client.attached_buffers),
        client.offset_encoding
      )
    )
  end
end

function M.check()
  if check_neovim() then
    local cmd = command()
    if cmd then
      check_server(cmd)
    end
    check_clients()
  end
end

return M
