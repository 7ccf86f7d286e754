"""`nst server`."""

from __future__ import annotations

import sys

import click


def _address(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, int] | None:
    if value is None:
        return None
    host, separator, port = value.rpartition(":")
    if not separator or not port.isdecimal() or int(port) > 65535:
        raise click.BadParameter(f"{value!r} is not HOST:PORT")
    return host.strip("[]") or "127.0.0.1", int(port)


@click.command()
@click.option("--stdio", is_flag=True, help="Speak over stdin and stdout (the default).")
@click.option("--tcp", metavar="HOST:PORT", callback=_address, help="Wait for a client on a TCP port.")
@click.option("--ws", metavar="HOST:PORT", callback=_address, help="Wait for clients on a WebSocket.")
@click.version_option(package_name="nst-lsp", prog_name="nst-lsp")
def server(stdio: bool, tcp: tuple[str, int] | None, ws: tuple[str, int] | None) -> None:
    """Run the language server."""
    if sum(map(bool, (stdio, tcp, ws))) > 1:
        raise click.UsageError("choose one of --stdio, --tcp and --ws")
    from ..server import serve

    sys.exit(serve(tcp=tcp, ws=ws))
