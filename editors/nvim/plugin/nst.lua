-- Commands, and the client's side of `nst.showGraph`; all else waits in lua/nst until it is needed.

if vim.g.loaded_nst then
  return
end
vim.g.loaded_nst = true

vim.lsp.commands['nst.showGraph'] = function(command, context)
  require('nst').on_show_graph(command, context)
end

vim.api.nvim_create_autocmd('LspAttach', {
  group = vim.api.nvim_create_augroup('nst', {}),
  desc = 'Draw the code lenses of nst-lsp',
  callback = function(args)
    local client = vim.lsp.get_client_by_id(args.data.client_id)
    if client and client.name == 'nst' then
      require('nst').on_attach(client, args.buf)
    end
  end,
})

vim.api.nvim_create_user_command('NstGraph', function()
  require('nst').show_graph()
end, { desc = 'Show the graph of the function under the cursor' })

vim.api.nvim_create_user_command('NstRetrace', function()
  require('nst').retrace()
end, { desc = 'Trace the functions of this file again' })

vim.api.nvim_create_user_command('NstLogs', function()
  require('nst').show_logs()
end, { desc = "Show the last lines of nst-lsp's log" })

vim.api.nvim_create_user_command('NstDoctor', function()
  require('nst').doctor()
end, { desc = 'Show what runs where, for a bug report' })

vim.api.nvim_create_user_command('NstRestart', function()
  require('nst').restart()
end, { desc = 'Restart nst-lsp' })
