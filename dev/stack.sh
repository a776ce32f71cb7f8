#!/usr/bin/env bash
# A whole server in a folder: a private PostgreSQL, the workers, the importer, the sender, live updates, nginx. Used by
# ./run, ./check, the HTTP tests and the benchmarks, as a program or sourced.
#
#	dev/stack.sh start FOLDER      start (and create what is missing); writes FOLDER/env
#	dev/stack.sh stop FOLDER       stop; the data stays
#	dev/stack.sh part-stop FOLDER postgres|workers|importer|sender|live|nginx
#	dev/stack.sh part-start FOLDER postgres|workers|importer|sender|live|nginx
#	dev/stack.sh scan FOLDER       print what must not be in the logs: 5xx responses, secrets
#
# `start` reads from the environment:
#	STACK_BUILD     folder of planwright.fcgi and planwrightctl (required)
#	STACK_PORT      port on 127.0.0.1; default: a free one
#	STACK_WORKERS   number of workers; default 4
#	STACK_CERTIFICATES  a file of certificates that workers trust in addition to the system's
#	STACK_DURABLE   0: no fsync and no synchronous commit, for tests; default 1
#	STACK_SETTINGS  more lines for planwright.conf; if they name an object store, nginx gets its
#			s3_endpoint
#	STACK_SIGN_INS  sign-ins that an address may try per minute; default: as shipped
#	STACK_PROXY     address of a proxy that signs people in, as oauth2-proxy does: enables nginx's locations for it
#	STACK_TRACER    a command, with its options, under which PostgreSQL runs: valgrind
#	STACK_TEMPLATE  folder of a stopped stack of the same build: a new stack starts with a
#	                copy of its database, which is faster than creating one
#
# FOLDER/env contains, for shells and for t/http/conftest.py: STACK_DIR, STACK_URL,
# STACK_PORT, STACK_DB (connection string as the service's role), STACK_ADMIN_DB
# (as the superuser), STACK_CONF (settings for planwrightctl), STACK_CTL (its
# path), STACK_SECRET_FILE, STACK_RUN (the folder of the sockets).
#
# As root, PostgreSQL runs as postgres, the workers and nginx as www-data. The
# folder may be where these users have no access by its path: they are started
# inside it and use relative paths; PostgreSQL, which changes its directory, gets
# its data folder as file descriptor 8. A socket's path has at most 107 bytes, so
# sockets are in a folder with a short name below /tmp.

stack_top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

stack_fail() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	return 1
}

# The last lines of a log, for messages; a full disk is named first.
stack_reason() {
	if grep -qs 'No space left on device' "$1"; then
		printf 'the disk is full'
	else
		grep -sv '^[[:space:]]*$' "$1" | tail -n 1
	fi
}

# Why no worker is ready: the last two lines that say more than that a worker ended.
stack_workers_reason() { grep -sv ' ended with status ' "$stack_dir/log/workers.log" | tail -n 2; }

# --- users and processes -----------------------------------------------------

stack_users() {
	stack_db_user=$(id -un) stack_web_user=$stack_db_user
	if [ "$(id -u)" -eq 0 ]; then
		stack_db_user=postgres stack_web_user=www-data
	fi
}

# Sets `stack_argv` to the command as run by a user, with nothing from the caller's environment
# except the sanitizers' options and the length of leases.
stack_command() {
	local user=$1 name
	shift
	stack_argv=(env -i PATH="$PATH" LANG=C.UTF-8)
	for name in ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS GCOV_PREFIX PLANWRIGHT_LEASE_SECONDS; do
		[ -z "${!name:-}" ] || stack_argv+=("$name=${!name}")
	done
	while [[ $1 == [A-Z]*=* ]]; do
		stack_argv+=("$1")
		shift
	done
	if [ "$(id -u)" -eq 0 ] && [ "$user" != root ]; then
		stack_argv+=(setpriv --reuid "$user" --regid "$user" --init-groups --)
	fi
	stack_argv+=("$@")
}

stack_started_at() { awk '{ sub(/.*\) /, ""); print $20 }' "/proc/$1/stat" 2>/dev/null; }

# stack_spawn NAME WORKING-FOLDER USER COMMAND…: starts it in the background, in its own session;
# pid/NAME contains its id and start time.
stack_spawn() {
	local name=$1 cwd=$2
	shift 2
	stack_command "$@"
	(cd "$cwd" && exec setsid "${stack_argv[@]}") \
		</dev/null >>"$stack_dir/log/$name.log" 2>&1 9>&- &
	printf '%s %s\n' "$!" "$(stack_started_at $!)" >"$stack_dir/pid/$name"
}

# The id of a running part; fails if it does not run.
stack_pid() {
	local pid start
	{ read -r pid start <"$stack_dir/pid/$1"; } 2>/dev/null || return 1
	[ -n "$start" ] && [ "$(stack_started_at "$pid")" = "$start" ] &&
		! grep -qs '^State:[[:space:]]*Z' "/proc/$pid/status" && printf '%s' "$pid"
}

# stack_end NAME SIGNAL SECONDS: waits that long after the signal, then kills the whole session.
stack_end() {
	local pid i
	if pid=$(stack_pid "$1"); then
		kill "-$2" "$pid" 2>/dev/null || true
		for ((i = 0; i < $3 * 20; i++)); do
			stack_pid "$1" >/dev/null || break
			sleep 0.05
		done
		kill -KILL -- "-$pid" 2>/dev/null || true
	fi
	rm -f "$stack_dir/pid/$1"
}

# stack_until SECONDS NAME COMMAND…: repeats it until it succeeds; fails early if NAME ends.
stack_until() {
	local end=$((SECONDS + $1)) name=$2
	shift 2
	while [ "$SECONDS" -le "$end" ]; do
		"$@" >/dev/null 2>&1 && return 0
		stack_pid "$name" >/dev/null || return 1
		sleep 0.05
	done
	return 1
}

# --- the folder --------------------------------------------------------------

# A folder that exists must be one of ours or empty, because its mode changes.
stack_folder() {
	local dir=$1
	[[ $dir != *$'\n'* ]] || stack_fail "the name of the state folder holds a line end; choose another" || return
	if [ -d "$dir" ] && [ ! -e "$dir/planwright.state" ] && [ -n "$(ls -A "$dir")" ]; then
		stack_fail "$dir is not empty and was not made by planwright; choose another folder" || return
	fi
	mkdir -p "$dir" 2>/dev/null && : 2>/dev/null >>"$dir/planwright.state" ||
		stack_fail "cannot write to $dir: $(mkdir -p "$dir" 2>&1 && touch "$dir/planwright.state" 2>&1)" || return
	stack_dir=$(cd "$dir" && pwd -P)
	mkdir -p "$stack_dir"/{log,pid,nginx} && chmod 0700 "$stack_dir"/{log,pid} ||
		stack_fail "cannot write to $stack_dir" || return
	# Users who may not read the folder itself have to get through it.
	if [ "$(id -u)" -eq 0 ]; then chmod 0711 "$stack_dir"; else chmod 0700 "$stack_dir"; fi
}

# The short folder for sockets and nginx's temporary files: new at each start.
stack_run_folder() {
	local old
	if old=$(cat "$stack_dir/pid/run" 2>/dev/null) && [[ $old == /tmp/planwright.* && -O $old ]]; then
		rm -rf "$old"
	fi
	stack_run=$(mktemp -d /tmp/planwright.XXXXXX) || stack_fail "cannot write to /tmp: is it full?" || return
	printf '%s\n' "$stack_run" >"$stack_dir/pid/run"
	mkdir "$stack_run/pg" "$stack_run/web"
	if [ "$(id -u)" -eq 0 ]; then
		chmod 0711 "$stack_run"
		chown "$stack_db_user:$stack_web_user" "$stack_run/pg"
		chown "$stack_web_user" "$stack_run/web"
		chmod 0750 "$stack_run/pg"
	fi
}

# The setting that names the stack's folder of files.
stack_files_setting() {
	if [ -n "$(stack_store)" ]; then echo files_spool; else echo files; fi
}

# The endpoint of the object store in the settings.
stack_store() { sed -n 's/^s3_endpoint = //p' <<<"${STACK_SETTINGS:-}"; }

stack_settings() {
	(
		umask 077
		cd "$stack_dir" || exit
		# A copied database comes with its secret.
		if [ ! -s secret ] && [ -n "${STACK_TEMPLATE:-}" ]; then
			cp "$STACK_TEMPLATE/secret" secret || exit
		fi
		if [ ! -s secret ]; then
			od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >secret.new && [ -s secret.new ] &&
				mv secret.new secret || exit
		fi
		cat >planwright.conf <<-CONF &&
			# Made at each start. For planwrightctl: PLANWRIGHT_CONF=this file.
			base_url = http://127.0.0.1:$stack_port
			# Tests keep a machine so busy that the default of 5 s may pass.
			database = host=$stack_run/pg dbname=planwright user=planwright connect_timeout=30
			secret_file = $stack_dir/secret
			$(stack_files_setting) = $stack_dir/files
			$(grep -q "^live = " <<<"${STACK_SETTINGS:-}" || echo "live = $stack_run/web/hints.sock")
			${STACK_SETTINGS:-}
		CONF
		mkdir -p files || exit
		[ "$(id -u)" -ne 0 ] || chown "$stack_web_user" secret planwright.conf files
	) || stack_fail "cannot write the settings to $stack_dir: is the disk full?"
}

stack_write_env() {
	stack_url=http://127.0.0.1:$stack_port
	local db="host=$stack_run/pg dbname=planwright"
	printf '%s=%q\n' STACK_DIR "$stack_dir" STACK_URL "$stack_url" STACK_PORT "$stack_port" \
		STACK_DB "$db user=planwright" STACK_ADMIN_DB "$db user=postgres" \
		STACK_CONF "$stack_dir/planwright.conf" STACK_CTL "$stack_build/planwrightctl" \
		STACK_SECRET_FILE "$stack_dir/secret" STACK_RUN "$stack_run" \
		STACK_BUILD "$stack_build" STACK_WORKERS "${STACK_WORKERS:-4}" \
		STACK_DURABLE "${STACK_DURABLE:-1}" >"$stack_dir/env"
}

# Loads what `start` wrote to FOLDER/env, for the other commands.
stack_load() {
	[ -r "$1/env" ] || stack_fail "no stack was started in $1" || return
	# shellcheck disable=SC1091
	. "$1/env"
	stack_dir=$STACK_DIR stack_port=$STACK_PORT stack_run=$STACK_RUN stack_build=$STACK_BUILD
	stack_url=$STACK_URL
	stack_users
}

# --- PostgreSQL --------------------------------------------------------------

stack_pg_bin() {
	local version='*' found package=postgresql
	if [ -r "$stack_dir/postgres/PG_VERSION" ]; then
		version=$(cat "$stack_dir/postgres/PG_VERSION")
		package=postgresql-$version
	fi
	# shellcheck disable=SC2086 # a pattern
	found=$(ls -d /usr/lib/postgresql/$version/bin 2>/dev/null | sort -t/ -k5 -n | tail -n 1)
	[ -x "$found/initdb" ] ||
		stack_fail "the programs of PostgreSQL ${version/\*/} are not in /usr/lib/postgresql (Debian: $package)" || return
	printf '%s' "$found"
}

stack_pg_create() {
	local data=$stack_dir/postgres options=()
	[ ! -e "$data/planwright.ready" ] || return 0
	rm -rf "$data"
	if [ -n "${STACK_TEMPLATE:-}" ]; then
		cp -a "$STACK_TEMPLATE/postgres" "$data" || stack_fail "cannot copy $STACK_TEMPLATE/postgres" || return
		stack_made=1
		return
	fi
	mkdir -m 0700 "$data" || return
	[ "$(id -u)" -ne 0 ] || chown "$stack_db_user:" "$data"
	# A test's database is copied: it should be small.
	[ "${STACK_DURABLE:-1}" != 0 ] || options=(--wal-segsize=1)
	stack_command "$stack_db_user" "$stack_pg/initdb" -D /proc/self/fd/8 -U postgres -E UTF8 \
		--locale=C.UTF-8 --auth=peer --no-sync "${options[@]}"
	(cd / && "${stack_argv[@]}") 8<"$data" >"$stack_dir/log/initdb.log" 2>&1 9>&- ||
		stack_fail "initdb failed: $(stack_reason "$stack_dir/log/initdb.log")" || return
	[ "${STACK_DURABLE:-1}" != 0 ] || echo 'min_wal_size = 2MB' >>"$data/postgresql.conf"
	echo 'local all all peer map=planwright' >"$data/pg_hba.conf"
	local user
	for user in root "$stack_db_user" "$stack_web_user"; do
		printf 'planwright "%s" planwright\n' "$user"
	done >"$data/pg_ident.conf"
	printf 'planwright "%s" postgres\n' root "$stack_db_user" >>"$data/pg_ident.conf"
	: >"$data/planwright.ready"
}

stack_psql() { "$stack_pg/psql" -XqAt -h "$stack_run/pg" -U postgres -v ON_ERROR_STOP=1 "$@"; }

stack_start_postgres() {
	local options=() log=$stack_dir/log/postgres.log
	[ "${STACK_DURABLE:-1}" != 0 ] || options=(-c fsync=off -c synchronous_commit=off -c full_page_writes=off)
	stack_pg=$(stack_pg_bin) && stack_pg_create || return
	: >"$log"
	# shellcheck disable=SC2086 # a command with its options
	stack_spawn postgres / "$stack_db_user" ${STACK_TRACER:-} "$stack_pg/postgres" -D /proc/self/fd/8 \
		-c listen_addresses= -c "unix_socket_directories=$stack_run/pg" \
		-c 'log_line_prefix=%m [%p] %a ' -c log_checkpoints=off -c log_parameter_max_length=0 \
		-c cluster_name=planwright -c max_connections=100 "${options[@]}" 8<"$stack_dir/postgres"
	stack_until 60 postgres stack_psql -d postgres -c 'select 1' ||
		stack_fail "PostgreSQL did not start: $(stack_reason "$log")" || return
	if [ -z "$(stack_psql -d postgres -c "select from pg_roles where rolname = 'planwright'" -c "select 1 from pg_database where datname = 'planwright'")" ]; then
		stack_psql -d postgres -c "do \$\$ begin if not exists (select from pg_roles where rolname = 'planwright')
			then create role planwright login; end if; end \$\$" -c 'create database planwright owner planwright' \
			2>>"$log" || stack_fail "cannot create the database: $(stack_reason "$log")"
	fi
}

stack_migrate() {
	local log=$stack_dir/log/migrate.log
	[ -z "${stack_made:-}" ] || return 0
	PLANWRIGHT_CONF=$stack_dir/planwright.conf "$stack_build/planwrightctl" migrate >"$log" 2>&1 9>&- ||
		stack_fail "the database could not be migrated: $(grep '^planwrightctl: ' "$log" || stack_reason "$log")"
}

# --- workers -----------------------------------------------------------------

# Restarts a command whenever it ends, until it is told to end itself.
stack_again=(bash -c '
	trap "ending=1; kill -TERM \$child" TERM
	until [ -n "$ending" ]; do
		"$@" &
		child=$!
		wait "$child"
		wait "$child"
		[ -n "$ending" ] || sleep 0.1
	done' again)

# The folder of files, by a path that the workers can use; read from the settings, as `start` may be long ago.
stack_files_variable() {
	if grep -q '^files_spool' "$stack_dir/planwright.conf"; then
		echo PLANWRIGHT_FILES_SPOOL=files
	else
		echo PLANWRIGHT_FILES=files
	fi
}

# Whether a program listens on a socket: its file is there a moment earlier, and who connects then is refused.
stack_listens() { grep -q " 00010000 .* $1\$" /proc/net/unix; }

stack_start_workers() {
	local log=$stack_dir/log/workers.log socket=$stack_run/web/fcgi.sock
	rm -f "$socket"
	: >>"$log"
	# The program is called by a path relative to a folder that all users can enter.
	cp -f "$stack_build/planwright.fcgi" "$stack_dir/planwright.fcgi" ||
		stack_fail "cannot copy the worker to $stack_dir: is the disk full?" || return
	cp -f "$stack_build/planwright-media" "$stack_dir/planwright-media" ||
		stack_fail "cannot copy to $stack_dir: is the disk full?" || return
	chmod 0755 "$stack_dir/planwright.fcgi" "$stack_dir/planwright-media"
	stack_spawn workers "$stack_dir" "$stack_web_user" PLANWRIGHT_CONF=planwright.conf \
		PLANWRIGHT_SECRET_FILE=secret "$(stack_files_variable)" \
		${STACK_CERTIFICATES:+"SSL_CERT_FILE=$STACK_CERTIFICATES"} ./planwright.fcgi \
		--workers "${STACK_WORKERS:-4}" --socket "$socket"
	stack_until 30 workers stack_listens "$socket" ||
		stack_fail "the workers did not start: $(stack_workers_reason)"
}

# --- sender ------------------------------------------------------------------

stack_start_sender() {
	cp -f "$stack_build/planwright-sender" "$stack_dir/planwright-sender" ||
		stack_fail "cannot copy the sender to $stack_dir: is the disk full?" || return
	chmod 0755 "$stack_dir/planwright-sender"
	stack_spawn sender "$stack_dir" "$stack_web_user" PLANWRIGHT_CONF=planwright.conf \
		"${stack_again[@]}" ./planwright-sender
}

# --- live updates ------------------------------------------------------------

# Unless the settings turn them off.
stack_start_live() {
	local log=$stack_dir/log/live.log
	rm -f "$stack_run/web/live.sock"
	! grep -q '^live = off' "$stack_dir/planwright.conf" || return 0
	cp -f "$stack_build/planwright-live" "$stack_dir/planwright-live" ||
		stack_fail "cannot copy planwright-live to $stack_dir: is the disk full?" || return
	chmod 0755 "$stack_dir/planwright-live"
	: >>"$log"
	stack_spawn live "$stack_dir" "$stack_web_user" PLANWRIGHT_CONF=planwright.conf \
		PLANWRIGHT_SECRET_FILE=secret "${stack_again[@]}" ./planwright-live --socket "$stack_run/web/live.sock"
	stack_until 10 live test -S "$stack_run/web/hints.sock" ||
		stack_fail "planwright-live did not start: $(stack_reason "$log")"
}

# --- importer ----------------------------------------------------------------

stack_start_importer() {
	cp -f "$stack_build/planwright-importer" "$stack_dir/planwright-importer" ||
		stack_fail "cannot copy the importer to $stack_dir: is the disk full?" || return
	chmod 0755 "$stack_dir/planwright-importer"
	stack_spawn importer "$stack_dir" "$stack_web_user" PLANWRIGHT_CONF=planwright.conf \
		PLANWRIGHT_SECRET_FILE=secret "$(stack_files_variable)" "${stack_again[@]}" ./planwright-importer
}

# --- nginx -------------------------------------------------------------------

# shellcheck source=dev/stack_nginx.sh
. "$stack_top/dev/stack_nginx.sh"

stack_answers() { curl -s -o /dev/null -m 5 "http://127.0.0.1:$stack_port/-/"; }

stack_start_nginx() {
	local log=$stack_dir/log/nginx.log
	: >"$log"
	stack_nginx_config || stack_fail "cannot write nginx's configuration: is the disk full?" || return
	stack_spawn nginx "$stack_dir" root "$(PATH=$PATH:/usr/sbin command -v nginx)" \
		-e log/nginx-error.log -p ./ -c nginx/nginx.conf
	stack_until 10 nginx stack_answers || stack_fail "nginx did not start: $(stack_reason "$log")"
}

stack_port_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

stack_choose_port() {
	stack_port=${STACK_PORT:-}
	if [ -z "$stack_port" ]; then
		for ((stack_port = 20000 + RANDOM % 12000; ; stack_port++)); do
			stack_port_taken "$stack_port" || return 0
		done
	fi
	[[ $stack_port =~ ^[1-9][0-9]{0,4}$ ]] && [ "$stack_port" -le 65535 ] ||
		stack_fail "\"$stack_port\" is no port; set PORT to a number from 1 to 65535" || return
	! stack_port_taken "$stack_port" ||
		stack_fail "port $stack_port is taken by another program; choose one with PORT=8081 or stop that program"
}

# --- all together ------------------------------------------------------------

# Whether a worker answers, rather than nginx with a 502.
stack_workers_answer() {
	local status
	status=$(curl -s -o /dev/null -m 5 -w '%{http_code}' "http://127.0.0.1:$stack_port/services/v5/")
	[ "$status" -lt 500 ] && [ "$status" -ge 200 ]
}

stack_start() {
	stack_users
	stack_folder "$1" || return
	stack_build=$(cd "${STACK_BUILD:?}" && pwd) || return
	stack_stop_parts
	stack_choose_port && stack_run_folder && stack_settings && stack_write_env &&
		stack_start_postgres && stack_migrate && stack_start_workers && stack_start_importer &&
		stack_start_sender && stack_start_live && stack_start_nginx || {
		stack_stop_parts
		return 1
	}
	stack_until 30 workers stack_workers_answer || {
		stack_fail "the workers do not answer: $(stack_workers_reason)" || true
		stack_stop_parts
		return 1
	}
}

stack_part_stop() {
	case $1 in
	nginx) stack_end nginx TERM 10 ;;
	workers) stack_end workers TERM 35 ;;
	importer) stack_end importer TERM 12 ;;
	sender) stack_end sender TERM 12 ;;
	live) stack_end live TERM 12 ;;
	postgres) stack_end postgres INT 60 ;;
	*) stack_fail "no part is called $1" ;;
	esac
}

stack_stop_parts() {
	local part run
	for part in nginx workers importer sender live postgres; do stack_part_stop "$part"; done
	if run=$(cat "$stack_dir/pid/run" 2>/dev/null) && [[ $run == /tmp/planwright.* && -O $run ]]; then
		rm -rf "$run"
	fi
	rm -f "$stack_dir/pid/run"
}

stack_part_start() {
	case $1 in
	nginx | workers | importer | sender | live | postgres) "stack_start_$1" ;;
	*) stack_fail "no part is called $1" ;;
	esac
}

# Prints what is in the logs and must not be. FOLDER/secrets: texts that no log may contain, one per line; a
# token is any run of 32 hexadecimal digits that is not a request id. FOLDER/expects-5xx exists if a
# test makes the server unavailable.
stack_scan() {
	local dir=$1 found=0
	if [ ! -e "$dir/expects-5xx" ] && grep -sE '" 5[0-9][0-9] ' "$dir/log/access.log" | head -n 20 | grep .; then
		found=1
	fi
	if cat "$dir"/log/*.log | sed -E 's/(\bid=|"id":"|"request_id":"|\bplanwright )[0-9a-f]{32}\b//g' | grep -aE '\b[0-9a-f]{32}\b' | head -n 5 |
		sed 's/^/a token in a log: /' | grep .; then
		found=1
	fi
	if [ -s "$dir/secrets" ] && grep -ahFf "$dir/secrets" "$dir"/log/*.log | head -n 5 |
		sed 's/^/a secret in a log: /' | grep .; then
		found=1
	fi
	if grep -asE 'ERROR: AddressSanitizer|runtime error:|LeakSanitizer' "$dir/log/workers.log" "$dir/log/sender.log" "$dir/log/live.log" | head -n 5 | grep .; then
		found=1
	fi
	return "$found"
}

stack_main() {
	set -eu
	umask 022
	local usage="usage: dev/stack.sh start|stop|scan FOLDER, dev/stack.sh part-stop|part-start FOLDER postgres|workers|importer|sender|live|nginx"
	[ $# -ge 2 ] || stack_fail "$usage"
	case $1 in
	start)
		trap 'stack_stop_parts; exit 1' INT TERM HUP
		stack_start "$2"
		cat "$stack_dir/env"
		;;
	stop) stack_load "$2" && stack_stop_parts ;;
	part-stop | part-start) stack_load "$2" && "stack_${1//-/_}" "${3:?}" ;;
	scan) stack_scan "$2" ;;
	*) stack_fail "$usage" ;;
	esac
}

[ "${BASH_SOURCE[0]}" != "$0" ] || stack_main "$@"
