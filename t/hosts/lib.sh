# shellcheck shell=bash
# Shell functions for t/hosts/run: booted Debian machines that share a network. To be sourced.
#
# Everything happens in its own network namespace, which has a bridge and no connection to the outside, and in its own
# mount namespace: the machines' trees are overlays on the bare tree of t/install/lib.sh, so a machine needs disk space
# only for what it writes.
#
#	10.0.0.1            this script: clients, receivers of webhooks and mail
#	10.0.0.10           nginx
#	10.0.0.11, .12      workers, importer and sender
#	10.0.0.21 to .23    PostgreSQL, Patroni, etcd
. "$(dirname "${BASH_SOURCE[0]}")/../install/lib.sh"

declare -A host_nspawn=() host_leader=()
hosts_folder=$install_root/hosts

# hosts_alone: continues in namespaces of its own.
hosts_alone() {
	[ -z "${HOSTS_ALONE:-}" ] || return 0
	HOSTS_ALONE=1 exec unshare --net --mount -- "$0" "$@"
}

hosts_network() {
	ip link set lo up
	ip link add planwright0 type bridge
	ip addr add 10.0.0.1/24 dev planwright0
	ip link set planwright0 up
}

# host_make NAME: makes an empty layer over the bare tree.
host_make() {
	local name=$1 dir=$hosts_folder/$1
	mkdir -p "$dir/upper" "$dir/work" "$dir/root"
	mount -t overlay overlay -o "lowerdir=$install_root/base-$release,upperdir=$dir/upper,workdir=$dir/work" "$dir/root"
	echo "$name" >"$dir/root/etc/hostname"
	printf '127.0.0.1 localhost %s\n10.0.0.10 planwright.example\n' "$name" >"$dir/root/etc/hosts"
	cp "$(package_of "$release")" "$dir/root/srv/planwright_0.2_amd64.deb"
	# It must have its address before services start that listen there.
	cat >"$dir/root/etc/systemd/system/address.service" <<-UNIT
		[Unit]
		DefaultDependencies=no
		Before=network.target
		[Service]
		Type=oneshot
		RemainAfterExit=yes
		ExecStart=/bin/sh -ec "ip addr add 10.0.0.${name//[^0-9]/}/24 dev host0; ip link set host0 up"
	UNIT
	mkdir -p "$dir/root/etc/systemd/system/sysinit.target.wants"
	ln -s ../address.service "$dir/root/etc/systemd/system/sysinit.target.wants/"
	# If a machine is lost, it is made again, so dpkg need not wait for the disk.
	echo force-unsafe-io >"$dir/root/etc/dpkg/dpkg.cfg.d/unsafe-io"
}

# host_boot NAME: boots it; its address is 10.0.0.<number in its name>, and it shares /var/lib/planwright/files.
host_boot() {
	local name=$1 i pid=
	mkdir -p "$hosts_folder/files"
	UNIFIED_CGROUP_HIERARCHY=1 systemd-nspawn --quiet --directory="$hosts_folder/$name/root" \
		--machine="pw-$name" --boot --network-bridge=planwright0 --register=no --keep-unit \
		--link-journal=no --console=pipe --bind="$hosts_folder/files:/var/lib/planwright/files" \
		</dev/null >>"$hosts_folder/$name.log" 2>&1 &
	host_nspawn[$name]=$!
	for ((i = 0; i < 600; i++)); do
		kill -0 "${host_nspawn[$name]}" 2>/dev/null || die "$name does not boot: $(tail -n 3 "$hosts_folder/$name.log")"
		pid=$(awk '{ print $1 }' "/proc/${host_nspawn[$name]}/task/${host_nspawn[$name]}/children" 2>/dev/null) || true
		host_leader[$name]=$pid
		[ -n "$pid" ] && on "$name" systemctl is-system-running 2>/dev/null | grep -qE 'running|degraded' && break
		sleep 0.2
	done
	[ "$i" -lt 600 ] || die "$name did not come up in two minutes; see $hosts_folder/$name.log"
	until_true 10 "$name has its address" on "$name" sh -c "ip -4 addr show dev host0 | grep -q 10.0.0"
}

# on NAME COMMAND…: runs it as root in that machine.
on() {
	local name=$1
	shift
	nsenter --target "${host_leader[$name]}" --mount --uts --ipc --net --pid --cgroup --root --wd -- \
		/usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive "$@"
}

# follow_on NAME: runs the lines of a guide, on standard input, in that machine.
follow_on() {
	local name=$1 script
	script=$(cat)
	[ -n "$script" ] || die "there are no lines to follow"
	printf 'set -e\ncd /srv\n%s\n' "$script" >"$hosts_folder/$name/root/root/follow.sh"
	on "$name" bash /root/follow.sh >>"$hosts_folder/$name.follow.log" 2>&1 </dev/null ||
		die "a line failed on $name: $(tail -n 3 "$hosts_folder/$name.follow.log")"
}

# follow_on_all NAME…: the same lines on several machines at once.
follow_on_all() {
	local script name pids=()
	script=$(cat)
	for name in "$@"; do
		follow_on "$name" <<<"$script" &
		pids+=($!)
	done
	for name in "${pids[@]}"; do wait "$name" || exit 1; done
}

# --- faults --------------------------------------------------------------------

# host_power_off NAME: kills everything on it at once, as when the power fails.
host_power_off() {
	kill -KILL "${host_leader[$1]}" 2>/dev/null || true
	wait "${host_nspawn[$1]}" 2>/dev/null || true
}

# host_pids NAME: prints all of its processes, which it finds by their namespace.
host_pids() {
	local wanted pid
	wanted=$(readlink "/proc/${host_leader[$1]}/ns/pid")
	for pid in /proc/[0-9]*; do
		[ "$(readlink "$pid/ns/pid" 2>/dev/null)" != "$wanted" ] || echo "${pid#/proc/}"
	done
}

# host_kill NAME PROGRAM: kill -9 for all of its processes that run the program.
host_kill() {
	local pid
	for pid in $(host_pids "$1"); do
		[ "$(cat "/proc/$pid/comm" 2>/dev/null)" != "$2" ] || kill -KILL "$pid" 2>/dev/null || true
	done
}

# host_pause NAME / host_resume NAME: stops and continues it, as when a virtual machine is migrated.
host_pause() { host_pids "$1" | xargs kill -STOP 2>/dev/null || true; }
host_resume() { host_pids "$1" | xargs kill -CONT 2>/dev/null || true; }

# host_cut NAME / host_join NAME: disconnects and reconnects its network.
host_cut() { ip link set "vb-pw-$1" down; }
host_join() { ip link set "vb-pw-$1" up; }

hosts_stop() {
	local name
	for name in "${!host_nspawn[@]}"; do host_resume "$name"; done
	for name in "${!host_nspawn[@]}"; do host_power_off "$name"; done
	[ -z "${KEEP:-}" ] || return 0
	for name in "${!host_nspawn[@]}"; do umount "$hosts_folder/$name/root" 2>/dev/null || true; done
	rm -rf "$hosts_folder"
}

# --- the database's hosts --------------------------------------------------------

database_hosts='db21 db22 db23'

# Prints a line for each member, with name, role, state and lag, from the first host that answers.
patroni_list() {
	local name
	for name in $database_hosts; do
		on "$name" timeout 8 patronictl -c /etc/patroni/config.yml list -f tsv 2>/dev/null | grep -v '^Cluster' && return
	done
	return 1
}

patroni_leader() { patroni_list | awk -F '\t' '$4 == "Leader" { print $2 }'; }
patroni_sync() { patroni_list | awk -F '\t' '$4 == "Sync Standby" { print $2 }' | head -n 1; }

# Whether there is a leader with two followers, one of them synchronous.
patroni_is_whole() {
	patroni_list | awk -F '\t' '
		$4 == "Leader" && $5 == "running" { l++ } $4 == "Sync Standby" { s++ }
		$4 != "Leader" && ($5 == "running" || $5 == "streaming") { r++ }
		END { exit !(l == 1 && s == 1 && r == 2) }'
}

# until_true SECONDS WHAT COMMAND…
until_true() {
	local seconds=$1 what=$2 end
	shift 2
	end=$((SECONDS + seconds))
	while ! "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || die "not so after $seconds s: $what; $(patroni_list || true)"
		sleep 0.5
	done
}
