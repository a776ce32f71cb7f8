#!/usr/bin/env bash
# Follows docs/guides/hosts.md, line by line, on a bare Debian that has the addresses of all three hosts: database and
# nginx on 10.0.0.10, workers on a port of 10.0.0.11; the second host of workers does not exist.
#	sudo t/install/hosts.sh 12|13
# What only a separate machine needs (the user's number, the mount of the files) is left out.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/data.sh"
release=${1:?usage: t/install/hosts.sh 12|13}
code_name "$release" >/dev/null
need_tools
guide=$top/docs/guides/hosts.md

step "Debian $release: one host, by README"
machine_start "hosts-$release" "$release"
block "$top/README.md" "Install it" | follow "$password"
until_answers
ada=$(sign_in ada "$password")
inside ip link set lo up
for address in 10.0.0.10 10.0.0.11; do inside ip addr add "$address/24" dev lo; done

step "The database's host"
block "$guide" "The database's host" | follow ""
inside sh -c 'until pg_isready -q -h 10.0.0.10; do sleep 0.2; done'

step "A host of workers"
same "the user's number is told" 1 "$(block "$guide" "A host of workers" | grep -c useradd)"
block "$guide" "A host of workers" 2 | follow ""
block "$guide" "A host of workers" 3 | follow ""
same "who listens on 10.0.0.11:9000" 1 "$(inside ss -Hltn 'sport = :9000' | grep -c '10.0.0.11:9000')"
same "what else listens" 0 "$(inside sh -c 'test -S /run/planwright/planwright.sock && ss -Hlx | grep -c planwright.sock' || true)"

step "nginx"
awk '/^```nginx/ { on = 1; next } /^```/ { on = 0 } on' "$guide" >"$machine/root/upstream"
inside sh -ec 'awk "/^upstream planwright/ { while ((getline line <\"/root/upstream\") > 0) print line; skip = 1 }
	!skip { print } skip && /^}/ { skip = 0 }" /etc/nginx/sites-available/planwright >/root/site
	cat /root/site >/etc/nginx/sites-available/planwright'
# The missing host fails two of the first requests.
block "$guide" "nginx" | grep -v '^curl' | follow ""
until_answers
block "$guide" "nginx" | grep '^curl' | sed 's/^curl/& --retry 5 --retry-all-errors/' | follow ""
# Each of nginx's two processes tries the missing host twice, and again every five seconds.
bad=0 start=$SECONDS
for _ in $(seq 20); do
	[ "$(status_of -H "X-TrackerToken: $ada" http://planwright.example/services/v5/me)" = 200 ] || bad=$((bad + 1))
done
most=$((4 + 2 * ((SECONDS - start) / 5)))
[ "$bad" -le "$most" ] || die "GET /me, 20 times in $((SECONDS - start)) s, beside a host that is not there: $bad are not 200"
fact "GET /me, 20 times in $((SECONDS - start)) s, beside a host that is not there: $bad are not 200, of $most that may be"
say "" "Debian $release: database, workers and nginx by the guide for several hosts." | sed 's/^ //'
