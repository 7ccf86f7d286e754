"""`nst check`: from the files of a tree to what is said about them.

`check` puts the others together: which files (`discovery`, `watch`), what of each (`shares`), known from before
(`cache`) or found by whom (`runners`; `spread`, `remote`, `distributed` over machines), and how it is told (`report`,
`summary`, `formats`, `baseline`).
"""
