-- What `luacheck` holds against the plugin, and against the driver of its tests.
std = 'luajit'
globals = { 'vim' }
max_line_length = 120
