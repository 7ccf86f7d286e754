-- Commands, events and colours; all that they do waits in lua/nst until it is needed.

if vim.g.loaded_nst then
  return
end
vim.g.loaded_nst = true

-- ---- the client's side of commands in lenses and code actions ------------------------------------------------------

for _, name in ipairs({ 'nst.showGraph', 'nst.openPage', 'nst.showStudy' }) do
  vim.lsp.commands[name] = function(command, context)
    require('nst').on_command(command, context)
  end
end

-- ---- events --------------------------------------------------------------------------------------------------------

local group = vim.api.nvim_create_augroup('nst', {})

vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  desc = 'Draw the code lenses of nst-lsp',
  callback = function(args)
    local client = vim.lsp.get_client_by_id(args.data.client_id)
    if client and client.name == 'nst' then
      require('nst').on_attach(client, args.buf)
    end
  end,
})

vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = 'python',
  once = true,
  desc = 'Say so where the server is enabled and cannot be started',
  callback = function()
    local missing = vim.lsp.is_enabled and vim.lsp.is_enabled('nst') and require('nst.server').missing()
    if missing then
      require('nst.server').say(missing, vim.log.levels.WARN)
    end
  end,
})

vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI', 'WinEnter' }, {
  group = group,
  desc = 'Light what belongs together in code and graphs',
  callback = function()
    if package.loaded['nst.graph'] then -- a graph was asked for
      require('nst.cursor').moved()
    end
  end,
})

-- ---- colours -------------------------------------------------------------------------------------------------------

for name, link in pairs({
  NstOperation = 'Visual',
  NstSource = 'LspReferenceText',
  NstGraphTitle = 'Title',
  NstGraphStale = 'WarningMsg',
}) do
  vim.api.nvim_set_hl(0, name, { link = link, default = true })
end

-- ---- commands ------------------------------------------------------------------------------------------------------

---@param name string
---@param desc string
---@param run fun(nst: table, args: vim.api.keyset.create_user_command.command_args)
---@param options? vim.api.keyset.user_command
local function command(name, desc, run, options)
  vim.api.nvim_create_user_command(name, function(args)
    run(require('nst'), args)
  end, vim.tbl_extend('force', { desc = desc }, options or {}))
end

--- Completion with those words of a list that begin with what was typed so far.
---@param list 'function_names'|'example_words'|'known_arguments'|'study_kinds'
---@return fun(typed: string): string[]
local function words(list)
  return function(typed)
    return vim.tbl_filter(function(word)
      return vim.startswith(word, typed)
    end, require('nst')[list]())
  end
end

---@param text string
---@return string?
local function unless_empty(text)
  return text ~= '' and text or nil
end

command('NstGraph', 'Show the graph of the function under the cursor, or of another one', function(nst, args)
  nst.show_graph(unless_empty(args.args), args.bang)
end, { nargs = '?', bang = true, complete = words('function_names') })

command('NstJump', 'Go from the code to the operations that it made, and back', function(nst)
  nst.jump()
end)

command('NstPage', 'Show the graph of the function under the cursor in the browser', function(nst)
  nst.open_page()
end)

command('NstExample', 'Choose the example that is shown, or write one', function(nst, args)
  nst.example(unless_empty(args.args))
end, { nargs = '?', complete = words('example_words') })

command('NstCompare', 'Run the function under the cursor and its graph on other arguments', function(nst, args)
  nst.compare(unless_empty(args.args))
end, { nargs = '?', complete = words('known_arguments') })

command('NstStudy', "Ask one of PyTorch's own tracers about the function under the cursor", function(nst, args)
  nst.study(args.args)
end, { nargs = 1, complete = words('study_kinds') })

command('NstDiff', 'Show what the last change did to the graph under the cursor, and why', function(nst)
  nst.diff()
end)

command('NstRetrace', 'Trace the functions of this file again; with ! of all open files', function(nst, args)
  nst.retrace(args.bang)
end, { bang = true })

command('NstLogs', "Show the last lines of nst-lsp's log", function(nst)
  nst.show_logs()
end)

command('NstDoctor', 'Show what runs where, for a bug report', function(nst)
  nst.doctor()
end)

command('NstRestart', 'Restart nst-lsp', function(nst)
  nst.restart()
end)
