# Writes src/db/schema.c: the SQL files named as arguments, in that order, as C
# strings with one line of source per line of SQL. Files from a folder migrations/
# are marked as migrations.
#	awk -f sql/embed_files.awk sql/migrations/*.sql sql/views.sql … > src/db/schema.c

function base(path) { sub(/.*\//, "", path); return path }

function finish() { if (count) printf "\t;\n\n" }

BEGIN {
	print "/* Made by sql/embed_files.awk from sql/: edit those files. */"
	print "#include \"db/schema.h\"\n"
}

FNR == 1 {
	finish()
	name[++count] = base(FILENAME)
	migration[count] = FILENAME ~ /(^|\/)migrations\/[^\/]*$/
	printf "static const char text_%d[] =", count
}

{
	gsub(/\\/, "&&")
	gsub(/["?]/, "\\\\&")
	gsub(/\r/, "\\\\r")
	printf "\n\t\"%s\\n\"", $0
}

END {
	finish()
	print "const struct schema_file schema_files[] = {"
	for (i = 1; i <= count; i++)
		printf "\t{ \"%s\", text_%d, sizeof(text_%d) - 1, %s },\n",
			name[i], i, i, migration[i] ? "true" : "false"
	print "};\n"
	print "const size_t schema_files_count = sizeof(schema_files) / sizeof(schema_files[0]);"
}
