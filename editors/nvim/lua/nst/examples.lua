--- `:NstExample`: choosing the example that is shown, and writing one.

local server = require('nst.server')

local M = {}

---@param client vim.lsp.Client
---@param traced nst.Traced
---@param uri string
---@param index? integer from 0; else the one after that which is shown
local function switch(client, traced, uri, index)
  server.ask(client, 'nst.switchExample', { uri = uri, ['function'] = traced['function'], example = index }, function()
    require('nst.graph').refresh(client)
  end)
end

---@param traced nst.Traced
---@param example nst.Example
---@return string
local function described(traced, example)
  local parts = { example.source }
  if example.operations then
    table.insert(parts, example.operations .. (example.operations == 1 and ' operation' or ' operations'))
  end
  if example.validFor ~= '' then
    table.insert(parts, 'valid for ' .. example.validFor)
  end
  if example.status ~= 'traced' then
    table.insert(parts, example.status)
  elseif example.verdict == 'differs' then
    table.insert(parts, 'differs from the function')
  end
  return (example.index == traced.example and '● ' or '  ') .. table.concat(parts, ' · ')
end

---@param client vim.lsp.Client
---@param traced nst.Traced
---@param uri string
local function choose(client, traced, uri)
  vim.ui.select(traced.examples, {
    prompt = 'Example of ' .. traced['function'],
    kind = 'nst.example',
    format_item = function(example)
      return described(traced, example)
    end,
  }, function(example)
    if example then
      switch(client, traced, uri, example.index)
    end
  end)
end

--- Show another example of the function under the cursor: `next`, one by its number (from 1), or what is chosen.
---@param wanted? string
function M.switch(wanted)
  local client, where = server.here()
  if not client then
    return
  end
  server.ask(client, 'nst.functions', where, function(functions)
    local traced = functions[1]
    if not traced then
      server.say_no_graph(client)
    elseif not wanted then
      choose(client, traced, where.uri)
    elseif wanted == 'next' then
      switch(client, traced, where.uri)
    else
      local example = traced.examples[tonumber(wanted)]
      if example then
        switch(client, traced, where.uri, example.index)
      else
        server.say(('%s has %d example(s)'):format(traced['function'], #traced.examples), vim.log.levels.WARN)
      end
    end
  end)
end

---@param client vim.lsp.Client
---@param bufnr integer
---@param action lsp.CodeAction
local function apply(client, bufnr, action)
  if action.edit then
    vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
    return
  end
  client:request('codeAction/resolve', action, function(err, resolved)
    if err or not resolved.edit then
      server.say(err and err.message or 'the text has changed: ask again', vim.log.levels.WARN)
    else
      vim.lsp.util.apply_workspace_edit(resolved.edit, client.offset_encoding)
    end
  end, bufnr)
end

--- Insert an example that is to be filled in, as a snippet, in a line of its own: `expand` puts the indentation of the
--- line that it finds before those that follow, which have theirs already.
---@param template { position: lsp.Position, snippet: string } of whole lines
local function fill_in(template)
  local row = template.position.line
  vim.api.nvim_buf_set_lines(0, row, row, true, { '' })
  vim.api.nvim_win_set_cursor(0, { row + 1, 0 })
  vim.snippet.expand((template.snippet:gsub('\n$', '')))
end

--- Write an example above the function under the cursor: of what annotations, defaults and calls tell, or by hand.
function M.add()
  local client, where, bufnr = server.here()
  if not client then
    return
  end
  if not where.position then
    server.say('put the cursor into the function, not into its graph', vim.log.levels.WARN)
    return
  end
  server.ask(client, 'nst.exampleTemplate', where, function(template)
    if not template then
      server.say('there is no function here to write an example for')
      return
    end
    local params = {
      textDocument = { uri = where.uri },
      range = { start = template.head, ['end'] = template.head },
      context = { diagnostics = {}, only = { 'refactor.rewrite' } },
    }
    client:request('textDocument/codeAction', params, function(err, actions)
      if err then
        server.say(err.message, vim.log.levels.ERROR)
        return
      end
      local choices = vim.list_extend({}, actions or {})
      table.insert(choices, { title = 'Write one by hand' })
      vim.ui.select(choices, {
        prompt = 'Example of ' .. template['function'],
        kind = 'codeaction',
        format_item = function(action)
          return action.title
        end,
      }, function(action)
        if action and action.kind then
          apply(client, bufnr, action)
        elseif action then
          fill_in(template)
        end
      end)
    end, bufnr)
  end)
end

return M
