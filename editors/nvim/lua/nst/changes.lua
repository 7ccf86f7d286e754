--- `:NstDiff`: the graph before and after the save that last changed it, side by side in a tab page of their own.

local server = require('nst.server')

local M = {}

---@param code string
---@param title string
local function fill(code, title)
  local bufnr = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, true, vim.split(vim.trim(code), '\n'))
  vim.bo.buftype, vim.bo.bufhidden, vim.bo.swapfile = 'nofile', 'wipe', false
  vim.bo.modifiable, vim.bo.filetype = false, 'python'
  vim.wo[0][0].winbar = '%#NstGraphTitle#' .. title:gsub('%%', '%%%%') .. '%*'
  vim.keymap.set('n', 'q', '<Cmd>tabclose<CR>', { buffer = bufnr, desc = 'Close the comparison' })
end

---@param changed { title: string, before: string, after: string, told: string[] }
local function show(changed)
  vim.cmd.tabnew()
  fill(changed.before, changed.title .. ' before')
  vim.cmd.diffthis()
  vim.cmd('rightbelow vnew')
  fill(changed.after, changed.title .. ' now')
  vim.cmd.diffthis()
  vim.cmd(('botright %dnew'):format(#changed.told))
  fill(table.concat(changed.told, '\n'), 'why')
  vim.bo.filetype = 'markdown'
  vim.wo[0][0].winfixheight = true
  vim.cmd.wincmd('k')
end

function M.run()
  local client, where = server.here()
  if not client then
    return
  end
  server.ask(client, 'nst.changes', where, function(changed)
    if changed then
      show(changed)
    else
      server.say('no save has changed this graph yet')
    end
  end)
end

return M
