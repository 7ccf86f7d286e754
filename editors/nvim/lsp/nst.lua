-- How Neovim starts the server; found on 'runtimepath' by `vim.lsp.enable('nst')` (Neovim 0.11 and later).
-- Whatever stands here can be changed with `vim.lsp.config('nst', { … })`, see |nst-config|.

---@type vim.lsp.Config
return {
  cmd = { 'nst-lsp' },
  filetypes = { 'python' },
  root_markers = { 'pyproject.toml', 'setup.cfg', 'setup.py', '.git' },
  -- An empty Lua table would reach the server as an array.
  settings = { nst = vim.empty_dict() },
  capabilities = {
    -- Neovim 0.11 draws code lenses, but does not listen when the server says that they have changed.
    workspace = { codeLens = { refreshSupport = true } },
    experimental = {
      commands = { commands = { 'nst.showGraph', 'nst.openPage' } },
      serverStatusNotification = true,
    },
  },
  handlers = {
    ['experimental/serverStatus'] = function(_, status, context)
      require('nst.status').set(context.client_id, status)
    end,
    ['workspace/codeLens/refresh'] = function(err, result, context)
      require('nst').on_results(assert(vim.lsp.get_client_by_id(context.client_id)))
      local builtin = vim.lsp.handlers['workspace/codeLens/refresh']
      return builtin and builtin(err, result, context) or vim.NIL
    end,
  },
}
