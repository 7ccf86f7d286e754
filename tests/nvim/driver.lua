-- What the tests ask of Neovim: loaded at its start as the global `driver`. Every wait is for a condition;
-- the deadline only ends a test that has failed.

local DEADLINE = 120 * 1000

local M = {}

--- Wait until `condition` gives a true value, and return it.
---@generic T
---@param what string
---@param condition fun(): T
---@return T
function M.wait(what, condition)
  local value
  local met = vim.wait(DEADLINE, function()
    value = condition()
    return value
  end, 20)
  if not met then
    error(('never seen: %s\nmessages:\n%s'):format(what, M.messages()))
  end
  return value
end

---@return string
function M.messages()
  return vim.api.nvim_exec2('messages', { output = true }).output
end

---@return vim.lsp.Client
function M.client()
  return M.wait('an attached server', function()
    local client = vim.lsp.get_clients({ name = 'nst', bufnr = 0 })[1]
    return client and client.initialized and client
  end)
end

--- The diagnostics of the buffer, each with the text it underlines (Neovim's columns are bytes).
function M.diagnostics()
  local found = vim.tbl_map(function(d)
    local text = vim.api.nvim_buf_get_text(0, d.lnum, d.col, d.end_lnum, d.end_col, {})
    return {
      code = d.code,
      severity = vim.diagnostic.severity[d.severity],
      message = d.message,
      line = d.lnum + 1,
      first_byte = d.col,
      text = table.concat(text, '\n'),
    }
  end, vim.diagnostic.get(0))
  table.sort(found, function(a, b)
    return a.line * 1e6 + a.first_byte < b.line * 1e6 + b.first_byte
  end)
  return found
end

--- Put the cursor on the first character of `text` in `line` (from 1); without `line`, on its first occurrence.
function M.go_to(text, line)
  for number, content in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local first = content:find(text, 1, true)
    if first and (not line or line == number) then
      vim.api.nvim_win_set_cursor(0, { number, first - 1 })
      return
    end
  end
  error(('%q is not in the buffer'):format(text))
end

--- The text of the floating window, if there is one and `text` is in it; the window is closed.
---@param text? string
function M.float(text)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true)
      local shown = table.concat(lines, '\n')
      if shown:find(text or '', 1, true) then
        vim.api.nvim_win_close(window, true)
        return shown
      end
    end
  end
end

--- The text of the floating window that `K` opens at the cursor.
function M.hover()
  vim.lsp.buf.hover({ silent = true })
  return M.wait('a hover window', M.float)
end

--- The texts of all buffers that are lit by a colour: a range, or a whole line.
---@param colour string
function M.lit(colour)
  local namespace, texts = vim.api.nvim_get_namespaces()['nst.lit'], {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true })) do
      local row, col, details = mark[2], mark[3], mark[4]
      if details.line_hl_group == colour then
        table.insert(texts, vim.api.nvim_buf_get_lines(buffer, row, row + 1, true)[1])
      elseif details.hl_group == colour then
        local range = vim.api.nvim_buf_get_text(buffer, row, col, details.end_row, details.end_col, {})
        table.insert(texts, table.concat(range, '\n'))
      end
    end
  end
  return texts
end

--- The code lenses as drawn: virtual text by line (from 1).
function M.lenses()
  local drawn = {}
  for name, namespace in pairs(vim.api.nvim_get_namespaces()) do
    if vim.startswith(name, 'nvim.lsp.codelens') then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
        local chunks = vim.tbl_map(function(chunk)
          return chunk[1]
        end, mark[4].virt_text)
        drawn[tostring(mark[2] + 1)] = table.concat(chunks)
      end
    end
  end
  return drawn
end

--- The buffer that shows a graph, if there is one.
function M.graph()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local buffer = vim.api.nvim_win_get_buf(window)
    if vim.startswith(vim.api.nvim_buf_get_name(buffer), 'nst://') then
      return {
        name = vim.api.nvim_buf_get_name(buffer),
        headline = vim.wo[window].winbar,
        filetype = vim.bo[buffer].filetype,
        modifiable = vim.bo[buffer].modifiable,
        text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n'),
      }
    end
  end
end

--- What a person chooses from a menu: the first item whose text has `text` in it; returns the texts of the menu.
--- The menu comes after `ask` was called.
---@param text string
---@param ask fun()
---@return string[]
function M.choose(text, ask)
  local offered
  local select = vim.ui.select
  vim.ui.select = function(items, options, on_choice)
    offered = vim.tbl_map(options.format_item or tostring, items)
    for number, one in ipairs(offered) do
      if one:find(text, 1, true) then
        return on_choice(items[number], number)
      end
    end
    on_choice(nil)
  end
  ask()
  M.wait('a menu', function()
    return offered
  end)
  vim.ui.select = select
  return offered
end

--- Close what a test has opened, so that the next one begins as in a new Neovim; a file that is only read stays.
function M.tidy()
  vim.cmd.stopinsert()
  vim.cmd('silent! tabonly | silent! only | messages clear')
  vim.g.nst = nil
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.fs.basename(vim.api.nvim_buf_get_name(buffer)) ~= 'read.py' then
      vim.api.nvim_buf_delete(buffer, { force = true })
    end
  end
end

--- Run one question of the tests: a function body that knows `driver`, its arguments as `...`, and the first of
--- them as `given`, also in functions inside. Answers in JSON.
---@param question string JSON of `{ body = …, arguments = { … } }`
function M.ask(question)
  local asked = vim.json.decode(question)
  local chunk = 'local driver = ...; return function(...) local given = ...; ' .. asked.body .. ' end'
  local body = assert(loadstring(chunk))(M)
  local ran, answer = xpcall(body, debug.traceback, unpack(asked.arguments))
  return vim.json.encode({ ran = ran, answer = answer == nil and vim.NIL or answer })
end

_G.driver = M
