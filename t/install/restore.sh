#!/usr/bin/env bash
# Restores the backup that first.sh has left on another release, and compares the contents.
#	sudo t/install/restore.sh FROM TO     each 12 or 13
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/data.sh"
from=${1:?usage: t/install/restore.sh FROM TO} to=${2:?usage: t/install/restore.sh FROM TO}
code_name "$from" >/dev/null && code_name "$to" >/dev/null
need_tools
[ -s "$install_root/out-$from/facts" ] || "$(dirname "$0")/first.sh" "$from"
# shellcheck disable=SC1090,SC1091
. "$install_root/out-$from/facts"

step "Debian $to: the package, and a server without people, by README"
machine_start "restore-$to" "$to"
block "$top/README.md" "Install it" | sed '/person add/,$d' | follow ""
until_answers
mkdir -p "$machine/var/backups/planwright"
cp "$install_root/out-$from/now.backup" "$machine/var/backups/planwright/"
inside chown -R planwright: /var/backups/planwright
same "the backup's token here, before" 403 "$(status_of -H "X-TrackerToken: $token" http://planwright.example/services/v5/me)"

step "The backup of Debian $from, by docs/guides/backup.md"
printf '%s\n' "$passphrase" >"$machine/root/passphrase"
inside install -o planwright -m 0600 /root/passphrase /etc/planwright.passphrase
block "$top/docs/guides/backup.md" "Trying it" 2 |
	sed 's|\(restore .*\)$|\1 --passphrase-file /etc/planwright.passphrase|' | follow ""

step "Compared"
picture "$project" "$token" >"$install_root/picture-$from-$to"
cmp "$install_root/out-$from/picture" "$install_root/picture-$from-$to" || die "the restored project differs"
fact "$(wc -c <"$install_root/picture-$from-$to") bytes of answers, with the checksum of the attached file, are the same"
same "who signs in" "$token" "$(sign_in ada "$password")"
inside systemctl restart planwright
same "after a restart" 200 "$(status_of -H "X-TrackerToken: $token" http://planwright.example/services/v5/me)"
same "a second restore is refused" 1 "$(inside sudo -u planwright planwrightctl restore /var/backups/planwright/now.backup \
	--passphrase-file /etc/planwright.passphrase >/dev/null 2>&1 || echo $?)"
say "" "Debian $from to $to: restored." | sed 's/^ //'
