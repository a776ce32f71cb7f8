# sql/queries/*.sql -> src/db/stmt.h (-v out=h) or src/db/stmt.c (-v out=c).
# A block begins with `-- name: story_get` and becomes STMT_STORY_GET. A block
# with {where} is a template: conditions, each after " and ", take its place;
# if there are none, it is prepared like the others. After `-- each: task tasks, branch branches`,
# a block with {one} or {list} in its name is made once for each pair; an empty `-- each:` ends that.
# After `-- columns: story_shown`, the next comments, indented by a tab, list columns; below them,
# {story_shown} stands for them.

function fail(why) {
	print FILENAME ": " why > "/dev/stderr"
	failed = 1
	exit 1
}

function add(name, text) {
	if (name !~ /^[a-z][a-z0-9_]*$/ || seen[name]++) fail("bad or repeated name " name)
	if (text == "") fail(name " is empty")
	names[++count] = name
	texts[count] = text
	late[count] = is_late
}

function add_each(name, text,   pairs, n, i, words) {
	n = split(each, pairs, /, */)
	if (n == 0) fail(name " stands behind no pairs")
	for (i = 1; i <= n; i++) {
		if (split(pairs[i], words, " ") != 2) fail("no pair: " pairs[i])
		add(filled(name, words), filled(text, words))
	}
}

function filled(s, words) {
	gsub(/[{]one[}]/, words[1], s)
	gsub(/[{]list[}]/, words[2], s)
	return s
}

function finish(   list) {
	if (name == "") return
	sub(/[ \n;]+$/, "", text)
	for (list in columns) gsub("[{]" list "[}]", columns[list], text)
	if (name ~ /[{]/) add_each(name, text)
	else add(name, text)
	name = text = ""
}

# awks disagree about backslashes in gsub().
function quoted(s,   parts, n, i) {
	n = split(s, parts, /\\/)
	s = parts[1]
	for (i = 2; i <= n; i++) s = s "\\\\" parts[i]
	gsub(/"/, "\\\"", s)
	gsub(/\n/, "\\n\"\n\t  \"", s)
	return "\"" s "\""
}

!/^--\t/ { list = "" }
/^-- (name|late): / {
	finish()
	is_late = $2 == "late:"
	name = $3
	next
}
/^-- each:/ {
	finish()
	each = substr($0, 10)
	sub(/^ +/, "", each)
	next
}
/^-- columns: / {
	finish()
	list = $3
	next
}
list != "" && /^--\t/ {
	line = substr($0, 4)
	for (other in columns) gsub("[{]" other "[}]", columns[other], line)
	columns[list] = columns[list] (columns[list] == "" ? "" : "\n\t") line
	next
}
/^ *--/ { next }
name != "" { text = text (text == "" ? "" : "\n") $0 }

END {
	if (failed) exit 1
	finish()
	print "/* Made from sql/queries by sql/embed.awk. */"
	if (out == "h") {
		print "#ifndef STMT_H\n#define STMT_H\n\n#include <stdbool.h>\n"
		print "enum stmt {\n\tSTMT_NONE,"
		for (i = 1; i <= count; i++) print "\tSTMT_" toupper(names[i]) ","
		print "\tSTMT__MAX\n};\n"
		print "struct stmt_text {\n\tconst char *name;\n\tconst char *sql;"
		print "\tbool is_template; /* has a stmt_mark, where conditions go */"
		print "\tbool is_late;     /* is not prepared: run it by db_run */\n};\n"
		print "extern const char stmt_mark[];"
		print "extern const struct stmt_text stmt_texts[STMT__MAX];\n\n#endif"
	} else {
		print "#include \"db/stmt.h\"\n\nconst char stmt_mark[] = \"{where}\";\n\nconst struct stmt_text stmt_texts[STMT__MAX] = {"
		for (i = 1; i <= count; i++)
			print "\t[STMT_" toupper(names[i]) "] = { \"" names[i] "\",\n\t  " quoted(texts[i]) ",\n\t  " \
				(index(texts[i], "{where}") ? "true" : "false") ", " (late[i] ? "true" : "false") " },"
		print "};"
	}
}
