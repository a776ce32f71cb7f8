# The include rule: a file includes headers of its own level or lower; act_*
# files do not include each other; each library is seen by the modules named
# below and no others.
#	awk -f t/checks/layers.awk src/*.[ch]
# A new module gets its place in this table.

function put(level, names, list, n, i) {
	n = split(names, list, " ")
	for (i = 1; i <= n; i++) level_of[list[i]] = level
}

# The level of a module by its whole name, or by the part before its first `_`.
function level(module, stem) {
	if (module in level_of) return level_of[module]
	stem = module
	sub(/_.*/, "_", stem)
	return stem in level_of ? level_of[stem] : -1
}

function complain(text) {
	printf "%s:%d: %s\n", FILENAME, FNR, text
	bad = 1
}

BEGIN {
	put(0, "arena str buf log conf err")
	put(1, "csv json body body_ form uri fields search search_ planning planning_ when files media multipart crypt address sign message")
	put(2, "db db_ sql stmt schema mailer")
	put(3, "resource res_ fieldset model req select fetch render bind bind_ search_sql search_sql_text plan")
	put(4, "http http_ route route_ envelope auth list check")
	put(5, "crud crud_ act act_ routes routes_") # the route table names the actions
	put(6, "worker worker_ media_main ctl ctl_ demo demo_ sender sender_ describe describe_")
	users["libpq-fe.h"] = "db db_connect db_open db_rows"
	users["fcgiapp.h"] = "http http_send worker"
	users["fcgi_stdio.h"] = "none"
	users["json-c"] = "body"
	users["curl"] = "mailer sender sender_hook"
}

FNR == 1 {
	module = FILENAME
	sub(/.*\//, "", module)
	sub(/\.[ch]$/, "", module)
	own = level(module)
	if (own < 0) complain("module " module " has no level: add it to t/checks/layers.awk")
}

/^#[ \t]*include[ \t]*"/ {
	split($0, part, "\"")
	name = part[2]
	sub(/\.h$/, "", name)
	if (level(name) > own) complain("level " own " includes " name ", which is of level " level(name))
	if (module ~ /^act_/ && name ~ /^act_/ && name != module)
		complain("act_ files do not include each other")
}

/^#[ \t]*include[ \t]*</ {
	split($0, part, "[<>]")
	library = part[2]
	sub(/\/.*/, "", library)
	if (library in users && index(" " users[library] " ", " " module " ") == 0)
		complain("<" part[2] "> is for " users[library] " alone")
}

END { exit bad }
