#!/usr/bin/env bash
# Checks that the list in man/planwright-board.7 has exactly the keys of the board's table of actions, and none twice.
cd "$(dirname "$0")/../.." || exit 1
rows=(web/src/board/actions.tsx web/src/app/keys.ts)
table=$(sed -n 's/.*keys: \[\([^]]*\)\].*/\1/p' "${rows[@]}" | tr ',' '\n' | tr -d '" ' | grep . | sort)
manual=$(sed -n '/^\.Sh KEYS/,/^\.El/s/^\.It Ic //p' man/planwright-board.7 | sed 's/\\&//g' | tr ' ' '\n' | sort)
[ -n "$table" ] || { echo "no keys found in ${rows[*]}"; exit 1; }
uniq -d <<<"$table" | sed 's/$/: two actions have this key/'
diff <(echo "$table") <(echo "$manual") | sed -n 's/^< \(.*\)/\1: planwright-board.7 does not tell this key/p; s/^> \(.*\)/\1 is in planwright-board.7, but no key/p'
[ "$table" = "$manual" ]
