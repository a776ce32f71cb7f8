#!/bin/sh
# Formats the board's sources and its tests in t/web/unit and t/model/boards in place, and mends what the linter can.
#	web/fix.sh WORK
# WORK is a folder that has the packages: web/work of a build folder, after `make check-web`.
set -eu
biome=$(cd "${1:?usage: web/fix.sh WORK}" && pwd)/node_modules/.bin/biome
cd "$(dirname "$0")"

# Biome applies its settings to what stands below them.
trap 'rm -rf unit boards' EXIT
cp -Rp ../t/web/unit unit
cp -Rp ../t/model/boards boards
status=0
"$biome" check --write src locales unit boards ./*.mjs package.json tsconfig.json biome.jsonc || status=$?
cp -pu unit/* ../t/web/unit/
cp -pu boards/* ../t/model/boards/
exit $status
