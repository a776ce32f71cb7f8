# The include rule: the folders of src/ are levels, in the order of `levels`; a file may include headers
# from its own folder and from those before it, by their path below src/; planning may include only lib.
# Each library may be used only by the modules named below.
#	awk -f dev/checks/layers.awk src/*/*.[ch] src/*/*/*.[ch]

# The top folder of a path below src/.
function folder(path) {
	sub(/\/.*/, "", path)
	return path
}

function complain(text) {
	printf "%s:%d: %s\n", FILENAME, FNR, text
	bad = 1
}

BEGIN {
	n = split("lib oidc service db model old domain planning search store transfer http api programs", levels, " ")
	for (i = 1; i <= n; i++) level_of[levels[i]] = i
	users["libpq-fe.h"] = "db db_connect db_open db_rows db_wait"
	users["fcgiapp.h"] = "accept http http_read http_reply http_send worker"
	users["fcgi_stdio.h"] = "none"
	users["json-c"] = "body"
	users["archive.h"] = "zip_write"
	users["archive_entry.h"] = "zip_write"
	users["expat.h"] = "s3_list xml_read"
	users["curl"] = "http_client s3_list s3_request mailer sender sender_hook ctl_ready"
	users["seccomp.h"] = "media_main"
	users["zip.h"] = "tree_zip tree_zip_names export_zip backup"
	users["sqlite3.h"] = "sqlite_files sqlite_open sqlite_read"
}

FNR == 1 {
	module = FILENAME
	sub(/^.*src\//, "", module)
	own = folder(module)
	sub(/.*\//, "", module)
	sub(/\.[ch]$/, "", module)
	if (!(own in level_of)) complain("folder " own " has no level: add it to dev/checks/layers.awk")
}

/^#[ \t]*include[ \t]*"/ {
	split($0, part, "\"")
	name = part[2]
	if (!(folder(name) in level_of)) complain(name " is not named by its path below src/")
	else if (own == "planning" && folder(name) !~ /^(lib|planning)$/) complain("planning is pure: it includes " name)
	else if (level_of[folder(name)] > level_of[own]) complain("folder " own " includes " name)
}

/^#[ \t]*include[ \t]*</ {
	split($0, part, "[<>]")
	library = part[2]
	sub(/\/.*/, "", library)
	if (library in users && index(" " users[library] " ", " " module " ") == 0)
		complain("<" part[2] "> is for " users[library] " alone")
}

END { exit bad }
