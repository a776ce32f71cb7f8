# At most 500 lines in a file, 60 in a function (from its opening brace in
# column 1 to the closing one).
#	awk -f dev/checks/lengths.awk src/*/*.[ch]

function file_end() {
	if (lines > 500) {
		printf "%s: %d lines, 500 at most\n", file, lines
		bad = 1
	}
}

FNR == 1 {
	file_end()
	file = FILENAME
	start = 0
}

{ lines = FNR }

/^[A-Za-z_].*\(/ { name = $0 }
/^\{/ { start = FNR }
/^\}/ {
	if (start && FNR - start > 60) {
		printf "%s:%d: %d lines in %s, 60 at most\n", FILENAME, start, FNR - start, name
		bad = 1
	}
	start = 0
}

END {
	file_end()
	exit bad
}
