# Part of dev/stack.sh: the configuration of its nginx, and the files that it serves.
# shellcheck shell=bash disable=SC2154 # variables of dev/stack.sh

# The board: from the build or from a tarball; without it, nginx serves plain pages.
stack_web_files() {
	local from=$stack_build/web/dist
	rm -rf "$stack_dir/web"
	[ -e "$from/index.html" ] || from=$stack_top/web/dist
	mkdir -p "$stack_dir/web/assets" || return
	[ ! -e "$from/index.html" ] || cp -R "$from/." "$stack_dir/web/" || return
	chmod -R u=rwX,go=rX "$stack_dir/web"
}

# Uncomments the shipped location for an object store, if this stack has one.
stack_nginx_store() {
	local endpoint
	endpoint=$(sed -n 's/^s3_endpoint = //p' "$stack_dir/planwright.conf")
	[ -z "$endpoint" ] || sed -i -e '/^\t#location \/-\/store\//,/^\t#}/s/#//' \
		-e "s|https://s3.example.com/|$endpoint/|" "$1"
}

# Uncomments the shipped locations for a proxy that signs people in, if this stack has one.
stack_nginx_proxy() {
	[ -z "${STACK_PROXY:-}" ] || sed -i -e '/^\t#location = \/session\/remote_user /,/^\t# Without this/{/^\t#[^ ]/s/#//}' \
		-e "s|http://127.0.0.1:4180|$STACK_PROXY|" "$1"
}

# The shipped server block, with this stack's addresses.
stack_nginx_config() {
	local to=$stack_dir/nginx
	rm -rf "$to/snippets"
	mkdir -p "$to/snippets" && cp "$stack_top"/nginx/planwright-*.conf "$to/snippets/" &&
		sed -e '/^\tlisten \[::\]/d' \
			-e "s|^\tlisten .*|\tlisten 127.0.0.1:$stack_port backlog=1024;|" \
			-e "s|unix:/run/planwright/planwright.sock|unix:$stack_run/web/fcgi.sock|" \
			-e "s|unix:/run/planwright/live.sock|unix:$stack_run/web/live.sock|" \
			-e 's|/var/lib/planwright/files/|files/|' \
			-e 's|/var/log/nginx/planwright-error.log|log/nginx-error.log|' \
			-e 's|/var/log/nginx/planwright.log|log/access.log|' \
			"$stack_top/nginx/planwright.conf" >"$to/planwright.conf" &&
		stack_nginx_store "$to/planwright.conf" && stack_nginx_proxy "$to/planwright.conf" &&
		sed -i 's|/usr/share/planwright/www/|www/|' "$to/snippets/planwright-pages.conf" &&
		sed -i "s|rate=30r/m|rate=${STACK_SIGN_INS:-30}r/m|; s|rate=300r/m|rate=${STACK_SIGN_INS:-300}r/m|" "$to/snippets/planwright-limits.conf" &&
		sed -i 's|/usr/share/planwright/web|web|' "$to/snippets/planwright-web.conf" &&
		cat >>"$to/snippets/planwright-web.conf" <<-'CONF' &&
			# The demo's password is for pages of this address, and of no other host name.
			location = /assets/demo.json {
				if ($host !~ ^(127\.0\.0\.1|localhost)$) {
					return 404;
				}
				root web;
			}
		CONF
		stack_web_files &&
		rm -rf "$stack_dir/www" && mkdir "$stack_dir/www" &&
		cp "$stack_top"/www/* "$stack_build/reference/docs.html" "$stack_dir/www/" &&
		chmod 0755 "$stack_dir/www" && chmod 0644 "$stack_dir"/www/* &&
		cat >"$to/nginx.conf" <<-CONF
			$([ "$(id -u)" -ne 0 ] || printf 'user %s;' "$stack_web_user")
			daemon off;
			worker_processes 2;
			pid pid/nginx.master;
			error_log log/nginx-error.log alert;
			events { worker_connections 1024; }
			http {
				server_tokens off;
				access_log off;
				client_body_temp_path $stack_run/web/body;
				proxy_temp_path $stack_run/web/proxy;
				fastcgi_temp_path $stack_run/web/fastcgi;
				uwsgi_temp_path $stack_run/web/uwsgi;
				scgi_temp_path $stack_run/web/scgi;
				include planwright.conf;
			}
		CONF
}
