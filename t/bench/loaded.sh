# Sourced by the benchmarks: a whole server with the data of load.sql, and its rates. They set `here` (this folder), `top`,
# `build`, `folder` (the server's), `workers` (how many) and `seconds` (the length of each measurement).
# shellcheck shell=bash disable=SC2154
command -v wrk >/dev/null || { echo "${0##*/}: install the package wrk" >&2; exit 1; }

# With $workers workers.
start() {
	STACK_BUILD=$build STACK_WORKERS=$workers STACK_DURABLE=1 "$top/dev/stack.sh" start "$folder" >/dev/null
	# shellcheck disable=SC1091
	. "$folder/env"
	export PLANWRIGHT_CONF=$STACK_CONF
}

psql_do() { psql -XqAt -v ON_ERROR_STOP=1 "$STACK_ADMIN_DB" "$@"; }

load() {
	if [ "$(psql_do -c 'select count(*) from planwright.project')" -lt 200 ]; then
		local i
		# load.sql and the requests refer to things by small ids
		psql_do -c "select setval(format('planwright.%I', sequencename)::regclass, 1, false)
			from pg_sequences where schemaname = 'planwright'" >/dev/null
		for i in 1 2 3 4; do
			echo "a long password $i" | "$STACK_CTL" person add --name "Bench $i" --username "bench$i" \
				--email "bench$i@example.test" --password-file - >/dev/null
		done
		psql_do -f "$here/load.sql" >/dev/null
	fi
	tokens=$(for i in 1 2 3 4; do "$STACK_CTL" token show "bench$i"; done | paste -sd,)
	mac=$(psql_do -c "select '\\x' || encode(token_mac, 'hex') from planwright.person where id = 1")
}

# measure_http KIND [CONNECTIONS]: prints rate p50 p99. The run fails if any response is not a
# success.
measure_http() {
	local result failed
	result=$(wrk -t 2 -c "${2:-32}" -d "${seconds}s" --latency -s "$here/requests.lua" "$STACK_URL" -- "$1" "$tokens" |
		sed -n 's/^RESULT //p')
	failed=${result##* }
	if [ "${failed:-1}" != 0 ]; then
		echo "run: ${failed:-all} requests of $1 failed" >&2
		return 1
	fi
	echo "${result% *}"
}

median() { sort -n | awk '{ v[NR] = $1 } END { if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
