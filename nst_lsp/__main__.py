"""`python -m nst_lsp` is `nst`: for editors that know an interpreter and not where its scripts are."""

from .cli import main

main()
