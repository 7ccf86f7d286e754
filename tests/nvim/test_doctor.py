"""`:NstDoctor` in a real Neovim."""

from __future__ import annotations

from pathlib import Path

from tests.nvim.neovim import neovim
from tests.nvim.test_neovim import lens_at, line_of, new_project, open_file, set_up


def test_the_report_is_shown(tmp_path: Path) -> None:
    with neovim(set_up("With the plugin")) as editor:
        open_file(editor, new_project(tmp_path))
        lens_at(editor, line_of("def scale"), "graph:")
        editor.lua("vim.cmd.NstDoctor()")
        text = editor.lua(
            """return driver.wait('the report in a window of its own', function()
              if vim.bo.buftype == 'nofile' then
                return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\\n')
              end
            end)"""
        )
    assert text.startswith("server\n  nst-lsp: ")
    assert "client: Neovim" in text
    assert f"project {tmp_path}" in text
