--- Code lenses for Neovim 0.11, which draws them when it is told to. From 0.12 on Neovim keeps them by itself.

local M = {}

--- Ask for the lenses and draw them. `vim.lsp.codelens.refresh` would do so too, but skips a request while an
--- earlier one is under way, and then the old lenses stay.
---@param client vim.lsp.Client
---@param bufnr integer
function M.draw(client, bufnr)
  if not vim.lsp.codelens.enable and vim.api.nvim_buf_is_loaded(bufnr) then
    local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
    client:request('textDocument/codeLens', params, vim.lsp.codelens.on_codelens, bufnr)
  end
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.attach(client, bufnr)
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = bufnr })
    return
  end
  M.draw(client, bufnr)
  vim.api.nvim_create_autocmd({ 'InsertLeave', 'TextChanged' }, {
    group = vim.api.nvim_create_augroup('nst.lenses.' .. bufnr, {}),
    buffer = bufnr,
    desc = 'Draw the lenses of changed lines again',
    callback = function()
      M.draw(client, bufnr)
    end,
  })
end

return M
