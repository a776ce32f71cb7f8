#!/usr/bin/env bash
# Checks the rules that the sources follow, as TAP: one test point for each rule.
#	dev/checks/rules.sh BUILD     BUILD: a build folder that contains planwright.fcgi
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${1:?usage: dev/checks/rules.sh BUILD}
PATH=$PATH:/usr/sbin
scratch=$(mktemp -d /tmp/planwright.XXXXXX) || exit 1
trap 'rm -rf "$scratch"' EXIT
count=0
# This takes half of the total time, on one core.
t/install/configure.sh >"$scratch/configured" 2>&1 &
configured=$!

# rule NAME COMMAND…: if the command fails, its output is the reason.
rule() {
	local name=$1
	shift
	count=$((count + 1))
	if "$@" >"$scratch/out" 2>&1; then
		echo "ok $count - rule: $name"
	else
		sed 's/^/# /' "$scratch/out"
		echo "not ok $count - rule: $name"
	fi
}

# Succeeds if there is no input; otherwise prints it.
none() { ! grep .; }
silent() { "$@" 2>&1 | none; }

all_configured() {
	local status=0
	wait "$configured" || status=$?
	cat "$scratch/configured"
	return "$status"
}

own_c() { find src t -name '*.[ch]' ! -path 'src/db/stmt.[ch]' ! -path src/db/schema.c | sort; }

layers() { own_c | grep '^src/' | xargs awk -f dev/checks/layers.awk; }

# lib could serve any program: it must not mention what it is used for.
lib_is_general() {
	grep -rniE '\b(planwright|projects?|stor(y|ies)|iterations?|epics?|settings?)\b|contract [0-9]' src/lib | none
}

lengths() {
	own_c | grep '^src/' | xargs awk -f dev/checks/lengths.awk &&
		find t dev run check \( -name '*.[ch]' -o -name '*.py' -o -name '*.sh' -o -name run -o -name check -o -name fix \) -type f -exec wc -l {} + |
		awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines, 500 at most" }' | none &&
		find web t/web/unit \( -name node_modules -o -name dist -o -name package-lock.json -o -name types.gen.ts \) -prune -o \
			-type f \( -name '*.ts*' -o -name '*.mjs' -o -name '*.css' -o -name '*.sh' \) -exec wc -l {} + |
		awk '$2 != "total" && $1 > 300 { print $2 ": " $1 " lines, 300 at most" }' | none &&
		find web/src -name '*.ts*' ! -name types.gen.ts -exec awk -f dev/checks/web_lengths.awk {} +
}

format() { own_c | xargs clang-format-19 --dry-run -Werror; }

listed() {
	own_c | while read -r file; do
		grep -qF "$file" Makefile.am || echo "$file is not named in Makefile.am"
	done | none
}

listed_sql() {
	local file
	for file in sql/*.sql; do
		awk '/^SCHEMA_AGAIN =/, !/\\$/' Makefile.am | grep -qw "$(basename "$file")" || echo "$file is not in SCHEMA_AGAIN of Makefile.am"
	done | none
}

# Files of fields contain no functions; structs have no typedefs.
tables_only() { grep -nE '^\{' src/model/*_fields.c /dev/null | none; }
no_typedefs() { own_c | xargs grep -nE '^[[:space:]]*typedef[[:space:]]+(struct|union|enum)\b' | none; }

# The compiler reports casts that remove const (-Wcast-qual), but not those by way of an integer.
const_stays() { grep -rnE '\*\)[[:space:]]*\(uintptr_t\)' src --include='*.[ch]' | grep -v '^src/lib/unconst.h:' | none; }

# If the array is too small, snprintf returns more than it wrote: to get the length, use str_print,
# arena_printf or buf_printf.
snprintf_lengths() {
	grep -rnE '(=|\(|\)|return|,|\?|:) *v?snprintf\(' src --include='*.c' |
		grep -vE '^src/lib/(str|log|buf|arena)\.c:' | none
}

leftovers() {
	grep -rnE '\b(TODO|FIXME|XXX)\b' src sql man nginx systemd dev t/http t/web t/unit web/src web/styles run check README.md \
		--include='*.[ch]' --include='*.py' --include='*.sql' --include='*.sh' --include='*.conf' --include='*.ts' --include='*.tsx' --include='*.css' --exclude=rules.sh | none
}

shell() {
	local file
	local scripts=(run check .ci/run t/*.sh dev/*.sh dev/fix dev/deb dev/container dev/checks/*.sh web/*.sh t/bench/run t/install/*.sh systemd/planwright-backup)
	for file in "${scripts[@]}"; do bash -n "$file" || return 1; done
	! command -v shellcheck >/dev/null || shellcheck -x -S warning -e SC2154 "${scripts[@]}"
}

python() {
	/usr/bin/python3 - t/http/*.py t/web/*.py dev/checks/*.py <<-'PY'
		import sys
		for path in sys.argv[1:]:
		    compile(open(path, encoding="utf-8").read(), path, "exec")
	PY
}

# The README of the tests over HTTP names every file there, and no other.
http_tests() {
	diff <(cd t/http && printf '%s\n' *.py | sort) <(grep -oE '`[a-z_]+\.py`' t/http/README.md | tr -d '`' | sort -u)
}

readme_packages() {
	local lines
	lines=$(sed -e ':a' -e '/\\$/ { N; s/\\\n */ /; ba' -e '}' README.md | grep 'apt-get install' | tr '\n' ' ')
	sed 's/#.*//' packages | awk 'NF { print $1 }' | while read -r name; do
		case " $lines " in *" $name "*) ;; *) echo "README.md does not install $name" ;; esac
	done | none
}

# The statements of imports return values; the sentences about them are in src/transfer/settle/import_sentences.c.
import_sentences() {
	/usr/bin/python3 - sql/queries/import*.sql <<-'PY' | none
		import re, sys
		for name in sys.argv[1:]:
		    code = re.sub(r"--[^\n]*", "", open(name).read())
		    for text in re.findall(r"'((?:[^']|'')*)'", code):
		        if re.search(r"[A-Za-z]{2,} [A-Za-z]+ [A-Za-z]+", text):
		            print(f"{name} says: {text}")
	PY
}

readme_columns() { LC_ALL=C awk '{ gsub(/[\200-\277]/, "") } length > 100 { print "README.md:" NR ": over 100 columns" }' README.md | none; }

package_version() {
	local version
	version=$(sed -n 's/^AC_INIT(\[planwright\], \[\(.*\)\])$/\1/p' configure.ac)
	head -n 1 debian/changelog | grep -qF "planwright ($version) " || echo "debian/changelog does not begin with $version"
	grep -qF "./planwright_${version}_amd64.deb" README.md || echo "README.md installs another version than $version"
}

# The errors that nginx sends have the same texts as the program's.
nginx_errors() {
	/usr/bin/python3 - nginx/planwright-limits.conf src/service/err.c <<-'PY'
		import re, sys
		limits, source = (open(path).read() for path in sys.argv[1:])
		rows = dict(re.findall(r'\.code = "(\w+)",\s*\.error = "([^"]*)"', source))

		def of_status(name):
		    body = re.search(r"map \$status \$planwright_error_%s {\n(.*?)\n}" % name, limits, re.S)[1]
		    return dict(re.findall(r'^\t([45][0-9][0-9]) "?([^"]*?)"?;$', body, re.M))
		codes, texts = of_status("code"), of_status("text")
		bad = len(codes) < 10 or codes.keys() != texts.keys()
		for status, code in codes.items():
		    if rows.get(code, texts.get(status)) != texts.get(status):
		        bad = True
		        print(status, "differs from src/service/err.c:", texts.get(status))
		sys.exit(bad)
	PY
}

# Every endpoint of the contract has a route and a test, and every route has a row in the contract's table.
contract() {
	"$build/planwrightctl" describe >"$scratch/tables" && /usr/bin/python3 - "$scratch/tables" <<-'PY'
		import json, pathlib, re, sys
		bare = lambda path: re.sub(r":[a-z]+", ":", path)
		lines = pathlib.Path("t/contract/endpoints.tsv").read_text().splitlines()
		rows = [line.split("\t") for line in lines if not line.startswith("#")]
		routes = {(r["method"], bare(r["path"])) for r in json.load(open(sys.argv[1]))["routes"]}
		listed = {(method, bare(path)) for method, path, _ in rows}
		faults = [f"no route for the row {m} {p}" for m, p in sorted(listed - routes)]
		faults += [f"no row for the route {m} {p}" for m, p in sorted(routes - listed)]
		for method, path, test in rows:
		    words = [w for w in path.split("/") if w and not w.startswith(":")]
		    file = pathlib.Path("t/http", test)
		    text = file.read_text() if file.exists() else ""
		    is_part = "sorted(PARTS)" in text and "/stories/:story/" in path  # t/http/parts.py
		    if words[-1] not in text and not is_part:
		        faults.append(f"{test} does not test {method} {path}")
		sys.exit("\n".join(faults) or 0)
	PY
}

contract_fields() {
	"$build/planwrightctl" describe >"$scratch/tables" && /usr/bin/python3 dev/checks/contract_fields.py "$scratch/tables"
}

domain_cases() {
	"$build/planwrightctl" describe >"$scratch/tables" && /usr/bin/python3 dev/checks/domain_cases.py "$scratch/tables"
}

# Every route, parameter and field has a description.
documented() {
	"$build/planwrightctl" describe >"$scratch/tables" && /usr/bin/python3 - "$scratch/tables" <<-'PY'
		import json, sys
		tables = json.load(open(sys.argv[1]))
		rows = [(f"{r['method']} {r['path']}", x) for r in tables["routes"] for x in [r, *r["params"]]]
		rows += [(f"the resource {r['kind']}", f) for r in tables["resources"] for f in r["fields"]]
		sys.exit("\n".join(f"{of}: no .doc {x.get('name', '')}" for of, x in rows if not x.get("doc")) or 0)
	PY
}

# The shipped server block and snippets, in an nginx that has settings of its own for other sites.
nginx_config() {
	mkdir -p "$scratch/nginx/snippets" && cp nginx/planwright-*.conf "$scratch/nginx/snippets/" &&
		sed -e '/^\tlisten \[::\]/d' -e 's/^\tlisten .*/\tlisten 127.0.0.1:8079;/' -e "s|/var/log/nginx/|$scratch/|" \
			nginx/planwright.conf >"$scratch/nginx/planwright.conf" &&
		cat >"$scratch/nginx/nginx.conf" <<-CONF &&
			pid $scratch/pid;
			events {}
			http {
				client_body_temp_path $scratch/body;
				proxy_temp_path $scratch/proxy;
				fastcgi_temp_path $scratch/fastcgi;
				uwsgi_temp_path $scratch/uwsgi;
				scgi_temp_path $scratch/scgi;
				limit_req_status 503;
				limit_req_log_level warn;
				gzip off;
				fastcgi_keep_conn off;
				client_max_body_size 1m;
				log_format main '\$remote_addr';
				include planwright.conf;
			}
		CONF
		nginx -e "$scratch/error.log" -t -q -c "$scratch/nginx/nginx.conf"
}

# The units as installed, with the actual paths of the programs.
systemd_units() {
	local name
	mkdir -p "$scratch/units" && cp systemd/planwright.* systemd/*.socket systemd/*.timer "$scratch/units/" &&
		for name in planwright planwright-importer planwright-live planwright-sender planwright-sweep planwright-backup; do
			sed -e "s|@planwrightdir@/planwright-backup|$PWD/systemd/planwright-backup|" -e "s|@planwrightdir@|$build|" -e "s|@sbindir@|$build|" -e 's|@sysconfdir@|/etc|' -e 's|@localstatedir@|/var|' \
				systemd/$name.service.in >"$scratch/units/$name.service" || return
		done &&
		sed -i '/^Documentation=man:/d' "$scratch"/units/*
	# systemd-analyze also complains about the machine's other units: only lines that name ours count.
	(cd "$scratch/units" && SYSTEMD_UNIT_PATH="$scratch/units:" \
		systemd-analyze verify --man=no ./planwright.socket ./planwright.target ./planwright.service ./planwright-importer.service \
			./planwright-live.socket ./planwright-live.service ./planwright-sender.service ./planwright-sweep.service ./planwright-sweep.timer \
			./planwright-backup.service ./planwright-backup.timer) 2>&1 |
		grep -i planwright | none
}

manuals() {
	local pages=(man/*.[1-9])
	[ -e "${pages[0]}" ] || { echo "there is no man/*.8"; return 1; }
	pages+=("$build/reference/planwright-api.7")
	mandoc -Tlint -W warning "${pages[@]}" &&
		! LC_ALL=C grep -nP '[^\0-\x7F]' "${pages[@]}" # not shown in every locale
}

rule "layers and includes" layers
rule "lib knows nothing of planning" lib_is_general
rule "lengths of files and functions" lengths
rule "clang-format" format
rule "every C file is in Makefile.am" listed
rule "every SQL file is in Makefile.am" listed_sql
rule "files of fields hold tables only" tables_only
rule "no typedef of a struct" no_typedefs
rule "const is cast away in lib/unconst.h alone" const_stays
rule "no length is taken from snprintf" snprintf_lengths
rule "nothing left to do in the sources" leftovers
rule "shell scripts" shell
rule "python files" python
rule "t/http/README.md leads to every file there" http_tests
rule "README names every package" readme_packages
rule "README has at most 100 columns" readme_columns
rule "the package has the version of the sources" silent package_version
rule "nginx answers with the program's errors" nginx_errors
rule "nginx -t" nginx_config
rule "systemd-analyze verify" systemd_units
rule "mandoc -Tlint" manuals
rule "what comments cite is there" /usr/bin/python3 dev/checks/citations.py
rule "statements ask what the caller's token reaches" /usr/bin/python3 dev/checks/reach.py
rule "no circles among modules and among SQL functions" /usr/bin/python3 dev/checks/circles.py c sql
rule "statements of imports say nothing" import_sentences
rule "rooms of transfer include what their table allows" /usr/bin/python3 dev/checks/transfer_rooms.py
rule "what headers offer is used" /usr/bin/python3 dev/checks/unused.py
rule "the board imports nothing from above, and nothing in a circle" /usr/bin/python3 dev/checks/web_levels.py
rule "t/hosts/simulate adds up" /usr/bin/python3 t/hosts/test_simulate.py
rule "the ladder has the figures of t/hosts/simulate" t/hosts/simulate --check docs/guides/ladder.md
rule "every setting is in the manual" dev/checks/conf_documented.sh
rule "every key of the board is in the manual" dev/checks/keys_documented.sh
rule "the contract has a route and a test for each row" contract
rule "the contract names every field that clients write" contract_fields
rule "a case shows each field of a story and its parts, and the contract each highlight" domain_cases
rule "every row says what it means" documented
rule "what configure misses is named with its package" all_configured
echo "1..$count"
