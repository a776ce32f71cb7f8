#!/usr/bin/env bash
# Single workers that are not started by systemd, with the lines in planwright(8): Apache with mod_fcgid, lighttpd,
# and spawn-fcgi behind nginx. Each gets requests with a token and with a password, changes something, accepts a file
# and returns it, and restarts a worker that was killed (except spawn-fcgi, which does not).
#	sudo t/install/webservers.sh 12|13
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/data.sh"
release=${1:?usage: t/install/webservers.sh 12|13}
code_name "$release" >/dev/null
need_tools
extra_packages="apache2 libapache2-mod-fcgid libapache2-mod-xsendfile lighttpd spawn-fcgi"

# manual HEADING [N]: prints the N-th display below that heading in planwright(8).
manual() {
	awk -v heading="$1" -v wanted="${2:-1}" '/^\.S[hs] / { here = $0 ~ "^\\.S[hs] " heading "$" }
		here && /^\.Bd/ { n++; on = n == wanted; next } /^\.Ed/ { on = 0 } on' "$top/man/planwright.8" |
		sed 's/\\e$/\\/'
}

# ask NAME: acts as a client of http://planwright.example.
ask() {
	local name=$1 token project file url
	for _ in $(seq 60); do
		[ "$(status_of -u "ada:$password" http://planwright.example/services/v5/me)" != 200 ] || break
		sleep 0.5
	done
	token=$(sign_in ada "$password")
	same "$name: with the token" 200 "$(status_of -H "X-TrackerToken: $token" http://planwright.example/services/v5/me)"
	same "$name: without" 403 "$(status_of http://planwright.example/services/v5/me)"
	project=$(post /projects "$token" "{\"name\":\"By $name\",\"account_id\":$account}" | field id)
	api PUT "/projects/$project" "$token" -H 'Content-Type: application/json' -d '{"description":"Told"}' >/dev/null
	file=$(api POST "/projects/$project/uploads" "$token" -F file=@/root/attached | grep -o '"download_url":"[^"]*"')
	url=${file#*:\"}
	url=${url%\"}
	same "$name: the file comes back" "$(sha256sum <"$machine/root/attached")" \
		"$(inside curl -sS --fail-with-body -H "X-TrackerToken: $token" "http://planwright.example$url" | sha256sum)"
	same "$name: DELETE" 204 "$(status_of -X DELETE -H "X-TrackerToken: $token" "http://planwright.example/services/v5/projects/$project")"
	same "$name: eight clients" "200 answers 200" "$(inside sh -c 'seq 200 | xargs -P 8 -I N curl -s -o /dev/null \
		-w "%{http_code}\n" -H "X-TrackerToken: $1" http://planwright.example/services/v5/me | sort | uniq -c' sh "$token" |
		awk '{ print $1 " answers " $2 }')"
}

# again NAME: kills all workers, and sends requests until new ones answer.
again() {
	inside pkill -KILL -x planwright.fcgi || die "$1: there is no worker to kill"
	local i status
	for ((i = 0; i < 60; i++)); do
		status=$(status_of -u "ada:$password" http://planwright.example/services/v5/me)
		[ "$status" != 200 ] || break
		sleep 0.5
	done
	same "$1: after all workers were killed" 200 "$status"
}

step "Debian $release: database and Ada, no web server yet"
machine_start "webservers-$release" "$release"
block "$top/README.md" "Install it" | sed '/systemctl/d; /nginx\/sites/d; s/\.deb nginx/.deb procps/' | follow "$password"
inside systemctl stop nginx 2>/dev/null || true
head -c 70000 /dev/urandom >"$machine/root/attached"
account=$(inside sudo -u postgres psql -XqAt planwright -c 'select id from planwright.account')
# As on shared hosting: the web server and the workers are the same user.
inside sh -ec 'sudo -u postgres createuser www-data
	sudo -u postgres psql -Xq -c "grant planwright to \"www-data\""
	install -d -o www-data -m 0750 /srv/planwright /srv/planwright/files
	install -o www-data -m 0600 /etc/planwright.secret /srv/planwright/secret
	printf "base_url = http://planwright.example\nsecret_file = /srv/planwright/secret\nfiles = /srv/planwright/files\n" \
		>/srv/planwright/conf
	apt-get install -q '"$extra_packages"' >/dev/null 2>&1
	systemctl stop apache2 lighttpd' 2>&1 | sed 's/^/   | /'

step "Apache with mod_fcgid"
inside sh -ec 'a2enmod -q fcgid rewrite xsendfile
	mkdir -p /var/www/planwright
	cp /usr/libexec/planwright/planwright.fcgi /usr/libexec/planwright/planwright-media /var/www/planwright/'
manual "From the web server" 1 >"$machine/var/www/planwright/.htaccess"
sed 's/^/   | /' "$machine/var/www/planwright/.htaccess"
cat >"$machine/etc/apache2/sites-available/planwright.conf" <<-'SITE'
	<VirtualHost *:80>
		ServerName planwright.example
		DocumentRoot /var/www/planwright
		FcgidInitialEnv PLANWRIGHT_CONF /srv/planwright/conf
		FcgidMaxRequestLen 110000000
		XSendFile on
		XSendFilePath /srv/planwright/files
		<Directory /var/www/planwright>
			Options +ExecCGI
			AllowOverride All
			Require all granted
		</Directory>
	</VirtualHost>
SITE
inside sh -ec 'a2dissite -q 000-default; a2ensite -q planwright; systemctl start apache2' | sed 's/^/   | /'
ask Apache
again Apache
inside systemctl stop apache2

step "lighttpd"
{
	echo 'server.modules = ("mod_fastcgi")'
	echo 'server.port = 80'
	echo 'server.username = "www-data"'
	echo 'server.groupname = "www-data"'
	echo 'server.document-root = "/var/www/html"'
	echo 'server.errorlog = "/var/log/lighttpd/planwright.log"'
	manual "From the web server" 2
} >"$machine/etc/lighttpd/planwright.conf"
inside sh -ec 'install -d -o www-data /run/lighttpd
	lighttpd -tt -f /etc/lighttpd/planwright.conf
	systemd-run --quiet --unit planwright-lighttpd --setenv PLANWRIGHT_CONF=/srv/planwright/conf \
		lighttpd -D -f /etc/lighttpd/planwright.conf'
ask lighttpd
again lighttpd
inside systemctl stop planwright-lighttpd

step "spawn-fcgi, single workers, behind nginx"
line=$(manual "With spawn-fcgi" | tr -d '\\\n' | sed 's/ -n -- / -F 4 -- /; s/ --workers 4//')
fact "$line"
inside sh -ec "$line"
inside sh -ec 'apt-get install -q nginx >/dev/null 2>&1
	sed -i "s|unix:/run/planwright/planwright.sock|unix:/run/planwright.sock|" /etc/nginx/sites-available/planwright
	ln -s ../sites-available/planwright /etc/nginx/sites-enabled/
	systemctl restart nginx' | sed 's/^/   | /'
ask spawn-fcgi
inside pkill -TERM -x planwright.fcgi
say "" "Debian $release: Apache, lighttpd and spawn-fcgi start single workers." | sed 's/^ //'
