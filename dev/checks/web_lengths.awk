# At most 60 lines in a function of the board: one at the left margin, or a method of a class. Its end is
# recognized by Biome's formatting.
#	awk -f dev/checks/web_lengths.awk web/src/*.ts* web/src/*/*.ts*

function over() {
	if (FNR - start + 1 > 60) {
		printf "%s:%d: %d lines in %s, 60 at most\n", FILENAME, start, FNR - start + 1, name
		bad = 1
	}
	start = 0
}

FNR == 1 { start = in_class = 0 }

/^(export )?(default )?(abstract )?class / { in_class = 1 }

!start && !in_class && /^(export )?(default )?(async )?(function|const .*=> [{(]$)/ { start = FNR; name = $0 }
!start && in_class && /^\t[a-z].*(\(|\{)$/ { start = FNR; name = $0 }

start && !in_class && /^[})\]]+[;,]?$/ { over() }
start && in_class && /^\t[})\]]+[;,]?$/ { over() }

in_class && /^\}/ { in_class = 0 }

END { exit bad }
