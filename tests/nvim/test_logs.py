"""`:NstLogs` in a real Neovim."""

from __future__ import annotations

from pathlib import Path

from tests.nvim.neovim import neovim
from tests.nvim.test_neovim import lens_at, line_of, new_project, open_file, set_up


def test_the_log_is_opened(tmp_path: Path) -> None:
    with neovim(set_up("With the plugin")) as editor:
        open_file(editor, new_project(tmp_path))
        lens_at(editor, line_of("def scale"), "graph:")
        editor.lua("vim.cmd.NstLogs()")
        text = editor.lua(
            """return driver.wait('the log beside the code', function()
              for _, window in ipairs(vim.api.nvim_list_wins()) do
                local buffer = vim.api.nvim_win_get_buf(window)
                if vim.endswith(vim.api.nvim_buf_get_name(buffer), 'nst-lsp.log') then
                  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\\n')
                end
              end
            end)"""
        )
    assert f"runs what is in {tmp_path}" in text
    assert "nst-lsp " in text
