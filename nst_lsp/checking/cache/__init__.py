"""Results of earlier checks, on disk: a file is not traced again while all that its result rests on is as it was.

A hit that is not what a fresh run would say is the worst that could happen here, a miss costs time only.  So what is
not known to be as it was is traced:

key      what is known before a run: the text, options, interpreter, environment, machine and our own sources
basis    what a run was seen to rest on, asked again (the worker tells it: `wire.Basis`)
pure     what no run can see: clocks and the like, by the words of all texts that may have run
store    where results lie: SQLite, values as JSON with a checksum, never anything that runs when it is read

`Cache` puts these together.
"""

from .cache import Cache, folder_of, open_cache, seal

__all__ = ["Cache", "folder_of", "open_cache", "seal"]
