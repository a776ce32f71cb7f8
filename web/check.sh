#!/bin/sh
# Checks the board without a browser: form, types against the server's description, and tests of the model.
#	web/check.sh WORK OPENAPI
# WORK is a folder for sources and packages, as for build.sh; OPENAPI is what
# `planwrightctl describe --openapi` says. Tests are t/web/unit/*.test.ts.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
work=$(cd "$1" && pwd)
openapi=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")

WEB_CHECK=1 "$here/build.sh" "$work/checked" "$work"
cd "$work"
rm -rf unit boards tests
cp -R "$here/../t/web/unit" unit
cp -R "$here/../t/model/boards" boards
node_modules/.bin/biome ci --colors=off --error-on-warnings src locales unit boards ./*.mjs package.json tsconfig.json biome.jsonc
node types.mjs "$openapi" >src/api/types.gen.ts
node_modules/.bin/tsc -p .

node_modules/.bin/esbuild unit/*.test.ts --bundle --format=esm --platform=node --log-level=warning \
	--inject:unit/node.mjs --jsx=automatic --jsx-import-source=preact --outdir=tests --out-extension:.js=.mjs
PLANNING_CASES=$here/../t/planning node --test tests/
