--- `:checkhealth nst`: is everything there that functions are traced with, does it run, and what can be done if not.

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
  local problems = require('nst.config').problems()
  for _, problem in ipairs(problems) do
    health.warn(problem, ':help nst-config')
  end
  if #problems == 0 then
    health.ok(vim.g.nst and 'vim.g.nst has settings that are known' or 'vim.g.nst is not set: all is as by default')
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
local function check_program(cmd)
  health.start('Server')
  local path = vim.fn.exepath(cmd[1])
  if path == '' then
    health.error(cmd[1] .. ' is not an executable', {
      'Install it: pip install /path/to/nst-lsp (a checkout or a wheel of it)',
      "Or name it: vim.lsp.config('nst', { cmd = { '/path/to/nst-lsp' } })",
    })
    return
  end
  local asked = vim.system({ path, '--version' }, { text = true, timeout = 10000 }):wait()
  if asked.code == 0 then
    health.ok(('%s (%s)'):format(vim.trim(asked.stdout), path))
  else
    local why = vim.split(vim.trim(asked.stderr), '\n')
    table.insert(why, 'Install it again: pip install --force-reinstall /path/to/nst-lsp')
    health.error(path .. ' does not run', why)
  end
end

--- What to do about a fact of the server that is a problem.
local advice = {
  ['graph page'] = 'Install nst-lsp from a wheel, or run `make page` in its checkout; :NstGraph works without it',
}

---@param facts { name: string, value: string, is_problem: boolean }[]
local function tell_facts(facts)
  for _, fact in ipairs(facts) do
    local told = ('%s: %s'):format(fact.name, fact.value)
    if fact.is_problem then
      health.warn(told, advice[fact.name] or 'Install it again: pip install --upgrade /path/to/nst-lsp')
    else
      health.ok(told)
    end
  end
end

--- One folder that is traced: trust, interpreter, NumPy, worker, settings.
---@param project table as `nst.doctor` describes it
local function tell_project(project)
  health.start('Project ' .. project.root)
  if not project.trusted then
    health.warn('nothing of it is run: it is not trusted', {
      'Answer the question that :NstRetrace asks',
      "Or remove `trusted = false` from the settings of vim.lsp.config('nst')",
    })
    return
  end
  health.ok('it is trusted: to trace a function is to run it')
  health.ok(('interpreter: %s (%s)'):format(project.interpreter, project.chosen_by))
  local function has(value)
    return value ~= nil and value ~= vim.NIL
  end
  if not has(project.worker) then
    health.error('no worker runs there', {
      'Does this interpreter start, and has it NumPy? Try: ' .. project.interpreter .. ' -c "import numpy"',
      'Another one: `python` in the settings, a .venv in the project, or an environment that is active in the shell',
      ':NstLogs says what happened; :NstRestart tries again',
    })
  elseif not has(project.numpy) then
    health.error(
      ('Python %s has no NumPy'):format(project.python),
      ('Install it: %s -m pip install numpy'):format(project.interpreter)
    )
  else
    local torch = has(project.torch) and (' and PyTorch %s'):format(project.torch) or ''
    health.ok(('Python %s with NumPy %s%s'):format(project.python, project.numpy, torch))
  end
  for _, problem in ipairs(project.problems) do
    health.warn(problem, { ':NstDoctor names the source of each setting', ':help nst-config' })
  end
  if #project.problems == 0 then
    health.ok('its settings are all known')
  end
end

---@param client vim.lsp.Client
local function check_client(client)
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
  local answer, err = client:request_sync('workspace/executeCommand', { command = 'nst.doctor' }, 15000)
  if not answer or answer.err then
    local why = answer and answer.err.message or err
    local log = vim.lsp.log.get_filename()
    health.error('the server does not answer: ' .. why, { ':NstRestart starts it anew', log .. ' may say more' })
    return
  end
  tell_facts(answer.result.facts or {})
  for _, project in ipairs(answer.result.projects) do
    tell_project(project)
  end
end

local function check_clients()
  health.start('Running')
  local clients = vim.lsp.get_clients({ name = 'nst' })
  if #clients == 0 then
    health.info('no server is running; it starts with the first Python file')
  end
  vim.iter(clients):each(check_client)
end

function M.check()
  if check_neovim() then
    local cmd = command()
    if cmd then
      check_program(cmd)
    end
    check_clients()
  end
end

return M
