#!/usr/bin/env bash
# Checks that man/planwright.conf.5 has exactly the settings in the table of src/service/conf_items.c,
# each with its default.
cd "$(dirname "$0")/../.." || exit 1
awk '
function finish() {
	if (item != "") text[item] = block
	block = ""
}
FILENAME ~ /conf_items\.c$/ {
	if (/conf_items\[\] = \{/) inside = 1
	if (/^\};/) inside = 0
	if (!inside || !/^\t\{ "/) next
	split($0, quoted, "\"")
	name = quoted[2]
	preset[name] = quoted[4]
	next
}
/^\.Sh/ { finish(); item = ""; settings = /SETTINGS/; next }
settings && /^\.It Ic / { finish(); item = $3; count[item]++; next }
settings { block = block $0 "\n" }
END {
	finish()
	for (name in preset) {
		names++
		if (count[name] != 1) { print name " stands " count[name] + 0 " times in planwright.conf.5"; bad = 1 }
		else if (index(text[name], preset[name] == "" ? "no default" : "The default is\n.Ql " preset[name] " .\n") == 0) {
			print name ": planwright.conf.5 does not tell its default: " preset[name]
			bad = 1
		}
	}
	for (name in count) if (!(name in preset)) { print name " is in planwright.conf.5, but no setting"; bad = 1 }
	if (names == 0) { print "no settings found in src/service/conf_items.c"; bad = 1 }
	exit bad
}' src/service/conf_items.c man/planwright.conf.5
