#!/usr/bin/env bash
# Upgrades a server of 0.1, which was installed from its sources by its own README and has data, to this package.
#	sudo t/install/upgrade.sh 12|13
# Needs this repository's history: 0.1 is commit 8094cd2.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/data.sh"
release=${1:?usage: t/install/upgrade.sh 12|13}
code_name "$release" >/dev/null
need_tools
old=8094cd2
git -C "$top" cat-file -e "$old^{commit}" 2>/dev/null || die "the commit $old is not here: this needs the repository with its history"

# Builds 0.1 where the package is built, and installs it into a folder that is copied over the machine.
build_old() {
	local tree=$install_root/build-$release
	[ -d "$tree" ] && package_is_current "$release" || build_package "$release"
	[ ! -d "$install_root/old-$release" ] || return 0
	say "Building 0.1 on Debian $release …"
	rm -rf "$tree/old" "$tree/old-installed"
	mkdir "$tree/old"
	git -C "$top" archive "$old" | tar -C "$tree/old" -xf -
	logged "$install_root/old-$release.log" "0.1 could not be built" in_tree "$tree" sh -ec 'cd /old
		autoreconf -i
		./configure --prefix=/usr --sysconfdir=/etc --localstatedir=/var
		make -j "$(nproc)"
		make install DESTDIR=/old-installed'
	mv "$tree/old-installed" "$install_root/old-$release"
	rm -rf "$tree/old"
}

build_old
step "Debian $release: 0.1 from its sources, by its README"
machine_start "upgrade-$release" "$release"
fact "libraries, PostgreSQL and nginx"
libraries=$(dpkg-deb -f "$(package_of "$release")" Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/,/ /g; s/postgresql-client//')
# shellcheck disable=SC2086 # a list of names
inside apt-get install -q nginx postgresql curl $libraries >"$machine/root/libraries.log" 2>&1 ||
	die "$(tail -n 3 "$machine/root/libraries.log")"
cp -a "$install_root/old-$release/." "$machine/"
git -C "$top" show "$old:README.md" >"$machine/root/README.old"
block "$machine/root/README.old" "Install it under an existing nginx" |
	sed -e '/autoreconf/d; /make install/d' -e 's|createdb -O planwright planwright|& -E UTF8 -T template0|' \
		-e 's|https://|http://|' | follow "$password"
for _ in $(seq 60); do
	[ "$(status_of -u "ada:$password" http://planwright.example/services/v5/me)" != 200 ] || break
	sleep 0.5
done
token=$(sign_in ada "$password")
inside sh -c 'install -d -o planwright /var/tmp/demo; sudo -u planwright planwrightctl demo --out /var/tmp/demo/demo.json' >/dev/null
demo=$(grep -o '"project_id":[^,}]*' "$machine/var/tmp/demo/demo.json" | tail -n 1 | tr -dc 0-9)
owner=$(tr -d '\n' <"$machine/var/tmp/demo/demo.json" | sed 's/.*"owner": *{[^}]*"token": *"\([^"]*\)".*/\1/')
project=$(fill "$token")
fact "0.1 has the projects $project and $demo (the demo), $(api GET "/projects/$demo/stories?limit=500" "$owner" | grep -o '"kind":"story"' | wc -l) stories"
picture "$project" "$token" >"$install_root/picture-old"
picture "$demo" "$owner" >>"$install_root/picture-old"

step "The package, by planwright(8)"
mandoc_lines() { awk '/^\.Ss From version 0\.1/ { here = 1 } here && /^\.Bd/ { on = 1; next } /^\.Ed/ { on = 0; here = 0 } on' "$top/man/planwright.8"; }
mandoc_lines | sed 's|\\e|\\|g' | follow ""
until_answers
inside sudo -u planwright planwrightctl doctor --socket /run/planwright/planwright.sock | sed 's/^/   | /'
same "the version" "$(dpkg-deb -f "$(package_of "$release")" Version)" \
	"$(inside curl -sS http://planwright.example/services/v5 | field version)"

step "Compared"
picture "$project" "$token" >"$install_root/picture-new"
picture "$demo" "$owner" >>"$install_root/picture-new"
diff "$install_root/picture-old" "$install_root/picture-new" >"$install_root/picture.diff" ||
	die "the upgraded projects differ: $install_root/picture.diff"
fact "$(wc -c <"$install_root/picture-new") bytes of answers, with the checksum of the attached file, are the same"
same "who signs in" "$token" "$(sign_in ada "$password")"
post "/projects/$project/stories" "$token" '{"name":"After the upgrade"}' >/dev/null
fact "a story is added"
say "" "Debian $release: 0.1 became $(dpkg-deb -f "$(package_of "$release")" Version)." | sed 's/^ //'
