--- `:NstStudy`: what one of PyTorch's own tracers says of a function, as Python with comments, beside the code.

local config = require('nst.config')
local server = require('nst.server')

local M = {}

--- Which can be asked.
M.kinds = { 'joint', 'forward', 'backward', 'dynamo', 'export' }

---@class nst.Study: the answer to `nst.study` (docs/protocol.md), as far as it is shown
---@field error? string why there is none
---@field path string
---@field function string
---@field example integer
---@field study string
---@field text string

--- The buffers by what they show.
---@type table<string, integer>
local buffers = {}

---@param name string
---@return integer bufnr
local function new_buffer(name)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, name)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].filetype = 'python'
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = bufnr, desc = 'Close the answer' })
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = bufnr,
    callback = function()
      buffers[name] = nil
    end,
  })
  return bufnr
end

--- Show an answer in the window that shows one of the same question, or in a new one; the focus stays where it is.
---@param study nst.Study
local function show(study)
  local name = ('nst-study://%s/%s#%d.%s'):format(study.path, study['function'], study.example + 1, study.study)
  buffers[name] = buffers[name] or new_buffer(name)
  local bufnr = buffers[name]
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, true, vim.split(vim.trim(study.text), '\n'))
  vim.bo[bufnr].modifiable = false
  if vim.fn.bufwinid(bufnr) == -1 then
    vim.api.nvim_open_win(bufnr, false, { split = config.get().split })
  end
end

--- Ask, or be told again what is known, and show it. It takes seconds, which Neovim shows as |LspProgress|.
---@param client vim.lsp.Client
---@param where nst.Where with the `study`
function M.ask(client, where)
  server.ask(client, 'nst.study', where, function(study)
    if not study then
      server.say_no_graph(client)
    elseif study.error then
      server.say(study.error, vim.log.levels.WARN)
    else
      show(study)
    end
  end)
end

--- Ask about the function under the cursor.
---@param kind string
function M.run(kind)
  local client, where = server.here()
  if client then
    M.ask(client, vim.tbl_extend('force', where, { study = kind }))
  end
end

return M
