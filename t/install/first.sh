#!/usr/bin/env bash
# On a bare Debian 12 or 13 with systemd: builds and installs the package, follows README, signs in, watches the
# metrics under load, removes a person, makes a backup, upgrades under load, purges.
#	sudo t/install/first.sh 12|13
# It keeps the backup for restore.sh.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/data.sh"
release=${1:?usage: t/install/first.sh 12|13}
code_name "$release" >/dev/null
need_tools
out=$install_root/out-$release

step "Debian $release: the package, by README"
machine_start "first-$release" "$release"
block "$top/README.md" "Install it" | follow "$password"
until_answers
inside sudo -u planwright planwrightctl doctor --socket /run/planwright/planwright.sock |
	sed 's/^/   | /'
inside sudo -u planwright planwrightctl doctor >/dev/null || die "doctor finds something wrong"
same "the unit's type and state" "notify active" \
	"$(inside systemctl show -p Type,ActiveState --value planwright.service | xargs)"
same "the sweep's timer" active "$(inside systemctl is-active planwright-sweep.timer)"
same "what Prometheus and Grafana load, as it is" 2 \
	"$(inside find /usr/share/doc/planwright/monitoring -name '*.yml' -o -name '*.json' | wc -l)"
same "failed units" "" "$(inside systemctl --failed --plain --no-legend | awk '/planwright|nginx|postgres/ { print $1 }')"

step "Signing in"
block "$top/README.md" "Install it" 2 | sed "s/curl -u ada /curl -sS --fail-with-body -u 'ada:$password' /" | follow ""
echo
ada=$(sign_in ada "$password")
same "GET /me with the token" 200 "$(status_of -H "X-TrackerToken: $ada" http://planwright.example/services/v5/me)"
same "a wrong password" 403 "$(status_of -u ada:wrong http://planwright.example/services/v5/me)"
same "the board at /" '<title>' "$(inside curl -sS http://planwright.example/ | grep -o '<title>')"
same "the page at /docs" 200 "$(status_of http://planwright.example/docs)"
project=$(fill "$ada")
fact "project $project has a comment with a file of 70000 bytes"

step "Numbers under load"
reads='planwright_requests_total{access="read",status="2xx"}'
writes='planwright_requests_total{access="write",status="2xx"}'
before="$(metric "$reads") reads, $(metric "$writes") changes"
answered=$(load "$ada" "$project" 300)
fact "300 requests: $answered"
after="$(metric "$reads") reads, $(metric "$writes") changes"
fact "before: $before; after: $after"
read -r r0 _ w0 _ <<<"$before"
read -r r1 _ w1 _ <<<"$after"
[ $((r1 - r0)) -ge 200 ] && [ $((w1 - w0)) -ge 100 ] || die "the numbers did not move by 200 and 100"
inside sudo -u planwright planwrightctl status | head -n 12 | sed 's/^/   | /'

step "Wrong settings"
me() { status_of -H "X-TrackerToken: $ada" http://planwright.example/services/v5/me; }
complaints() { inside journalctl -u planwright -o cat --no-pager | grep -c 'max_body_kib must be' || true; }
inside sh -c 'echo "max_body_kib = many" >>/etc/planwright.conf'
! inside systemctl reload planwright.service 2>/dev/null || die "a reload with wrong settings does not fail"
same "GET /me after a reload that failed" 200 "$(me)"
inside systemctl stop planwright.service 2>/dev/null
before=$(complaints)
same "GET /me from a service that is started by the request" 503 "$(me)"
for _ in 1 2 3 4 5 6 7 8; do [ "$(me)" = 503 ] || die "not 503"; done
same "complaints" 1 "$(($(complaints) - before))"
same "the service, and how often systemd started it again" "active 0" \
	"$(inside systemctl show -p ActiveState,NRestarts --value planwright.service | sort -r | xargs)"
inside systemctl status planwright.service --no-pager | grep -m 1 Status: | sed 's/^/   | /'
inside sed -i '/^max_body_kib = many/d' /etc/planwright.conf
until_answers
same "GET /me, nothing but the file changed" 200 "$(me)"
same "mode of nginx's log" "640 www-data:adm" "$(inside stat -c '%a %U:%G' /var/log/nginx/planwright.log)"

step "A person is removed"
ctl() { inside sudo -u planwright planwrightctl "$@"; }
ctl person add --name 'Bob Builder' --email bob@planwright.example --username bob >/dev/null
post "/projects/$project/memberships" "$ada" '{"email":"bob@planwright.example","role":"member"}' >/dev/null
bob=$(ctl token show bob)
story=$(post "/projects/$project/stories" "$bob" '{"name":"From Bob"}' | field id)
same "Bob's token before" 200 "$(status_of -H "X-TrackerToken: $bob" http://planwright.example/services/v5/me)"
ctl person remove bob --yes | sed 's/^/   | /'
same "Bob's token after" 403 "$(status_of -H "X-TrackerToken: $bob" http://planwright.example/services/v5/me)"
same "who asked for Bob's story" '"name":"Former member"' \
	"$(api GET "/projects/$project/stories/$story?fields=requested_by(name)" "$ada" | grep -o '"name":"[^"]*"')"
ctl person list | sed 's/^/   | /'

step "A backup by the timer's service"
block "$top/docs/guides/backup.md" "Every night" | grep -v editor | follow ""
printf '%s\n' "$passphrase" >"$machine/etc/planwright.passphrase"
inside systemctl start planwright-backup.service
same "backups" 1 "$(inside ls /var/backups/planwright | wc -l)"
same "the timer" "active enabled" "$(inside systemctl show -p ActiveState,UnitFileState --value planwright-backup.timer | xargs)"
inside rm -r /var/backups/planwright

step "A backup"
rm -rf "$out"
mkdir -p "$out"
printf '%s\n' "$passphrase" >"$machine/root/passphrase"
inside install -o planwright -m 0600 /root/passphrase /etc/planwright.passphrase
inside install -d -o planwright -m 0700 /var/backups/planwright
ctl backup /var/backups/planwright/now.backup --passphrase-file /etc/planwright.passphrase | sed 's/^/   | /'
ctl backup --verify /var/backups/planwright/now.backup | sed 's/^/   | /'
cp "$machine/var/backups/planwright/now.backup" "$out/"
picture "$project" "$ada" >"$out/picture"
printf 'project=%s token=%s\n' "$project" "$ada" >"$out/facts"

step "An upgrade under load"
before=$(inside systemctl show -p MainPID --value planwright.service)
(load "$ada" "$project" 600 >"$out/load") &
sleep 1
inside apt-get install -q --reinstall "/srv/$(basename "$(package_of "$release")")" 2>&1 | told
wait $!
fact "600 requests meanwhile: $(cat "$out/load")"
grep -q '^200 answers 200, 400 answers 200\|^600 answers 200$' "$out/load" || die "requests failed while it was upgraded"
same "the parent of the workers" "$before" "$(inside systemctl show -p MainPID --value planwright.service)"
inside journalctl -u planwright -o cat --no-pager | grep 'renewed' | tail -n 1 | sed 's/^/   | /'

step "Removed and purged"
inside apt-get remove -q planwright 2>&1 | told
same "the workers" inactive "$(inside systemctl is-active planwright.service || true)"
inside apt-get purge -q planwright 2>&1 | told
for left in /etc/planwright.secret /var/lib/planwright/files; do
	inside test -e "$left" || die "$left is gone"
	fact "$left is there"
done
same "settings, units and sites left" "" \
	"$(inside sh -c 'ls -d /etc/planwright.conf /etc/nginx/*/planwright* /etc/systemd/system/*/planwright* /etc/systemd/system/planwright* 2>/dev/null' | grep -v sites-enabled)"
same "projects in the database" 1 "$(inside sudo -u postgres psql -XqAt planwright -c 'select count(*) from planwright.project')"
say "" "Debian $release: installed, signed in, counted, removed a person, backed up, upgraded, purged." | sed 's/^ //'
