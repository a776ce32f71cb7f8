#!/usr/bin/env bash
# Every key of the board (web/src/app/keys.ts) is in the list of man/planwright-board.7, and no other.
cd "$(dirname "$0")/../.." || exit 1
table=$(sed -n 's/.*{ action: "[a-z_]*", keys: \[\([^]]*\)\].*/\1/p' web/src/app/keys.ts | tr ',' '\n' | tr -d '" ' | sort)
manual=$(sed -n '/^\.Sh KEYS/,/^\.El/s/^\.It Ic //p' man/planwright-board.7 | sed 's/\\&//g' | tr ' ' '\n' | sort)
[ -n "$table" ] || { echo "no keys found in web/src/app/keys.ts"; exit 1; }
diff <(echo "$table") <(echo "$manual") | sed -n 's/^< \(.*\)/\1: planwright-board.7 does not tell this key/p; s/^> \(.*\)/\1 is in planwright-board.7, but no key/p'
[ "$table" = "$manual" ]
