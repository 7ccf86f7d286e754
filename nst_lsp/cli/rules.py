"""`nst rules` and `nst rule`."""

from __future__ import annotations

import sys

import click

from tracer.rules import RULES

from .common import misuse


@click.command()
def rules() -> None:
    """List the rules."""
    width = max(len(rule.name) for rule in RULES.values())
    for rule in RULES.values():
        click.echo(f"{click.style(rule.code, bold=True)}  {rule.name:<{width}}  {rule.summary}")


@click.command("rule")
@click.argument("code")
def show_rule(code: str) -> None:
    """Explain a rule, named by its code (NST101) or its name (branch-on-value)."""
    from ..console import show_markdown
    from ..rulepages import rule_page

    rule = next((rule for rule in RULES.values() if code.upper() == rule.code or code == rule.name), None)
    page = rule_page(rule.code) if rule else None
    if page is None:
        misuse(f"no rule is called {code}; `nst rules` lists them")
    show_markdown(page, sys.stdout)
