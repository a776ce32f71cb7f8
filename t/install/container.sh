#!/usr/bin/env bash
# Builds the image of dev/Containerfile from these sources with buildah, and runs it with a PostgreSQL of its own.
#	sudo t/install/container.sh
# It uses no image registry: the base is a bare Debian 12 from debootstrap. Nor does it use a container daemon: the
# image's folder is run with chroot and its own process and mount namespaces, as with buildah's isolation "chroot".
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/data.sh"
need_tools
base_tree 12
command -v buildah >/dev/null || logged "$install_root/tools.log" "apt-get could not install buildah" \
	env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends buildah
store=(--root "$install_root/images" --runroot "$install_root/images-run" --storage-driver vfs)
image="" container=""

clean() {
	[ -z "$machine" ] || machine_stop
	[ -z "$container" ] || buildah "${store[@]}" rm "$container" >/dev/null 2>&1 || true
	umount -l "$install_root/images" 2>/dev/null || true
	[ -n "${KEEP:-}" ] || rm -rf "$install_root/images" "$install_root/images-run"
}
trap clean EXIT

step "The image"
base=$(buildah "${store[@]}" from scratch)
buildah "${store[@]}" add -q "$base" "$install_root/base-12" / >/dev/null
buildah "${store[@]}" commit -q "$base" localhost/bare >/dev/null
buildah "${store[@]}" rm "$base" >/dev/null
sources_to "$install_root/context"
logged "$install_root/image.log" "buildah could not build the image" \
	buildah "${store[@]}" build --isolation chroot --network host --build-arg BASE=localhost/bare --pull-never \
	-f "$install_root/context/dev/Containerfile" -t localhost/planwright "$install_root/context"
fact "$(grep -c 'STEP [0-9]' "$install_root/image.log") steps of dev/Containerfile"
container=$(buildah "${store[@]}" from localhost/planwright)
image=$(buildah "${store[@]}" mount "$container")

step "PostgreSQL, on a machine whose network the container shares"
machine_start container 12
trap clean EXIT
inside sh -ec 'apt-get install -q postgresql
	cd /
	sudo -u postgres psql -Xq -c "create role planwright login password '"'in the container'"'"
	sudo -u postgres createdb -O planwright -E UTF8 -T template0 planwright' >/dev/null 2>&1

# in_image COMMAND…: runs it in the image, with its own process and mount namespaces.
in_image() {
	nsenter --target "$leader" --net -- unshare --mount --pid --fork --kill-child bash -euc '
		mount -t proc proc "$1/proc"
		mount --rbind /dev "$1/dev"
		image=$1
		shift
		exec chroot "$image" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
			PLANWRIGHT_SECRET_FILE=/run/secrets/planwright PLANWRIGHT_BASE_URL=http://planwright.example \
			PLANWRIGHT_DATABASE="host=127.0.0.1 dbname=planwright user=planwright password='"'in the container'"'" \
			"$@"' in_image "$image" "$@"
}

ctl() { in_image "$entry" "$@"; }

step "The container"
entry=$(buildah "${store[@]}" inspect --type image --format '{{ index .OCIv1.Config.Entrypoint 0 }}' localhost/planwright)
fact "its entry point: $entry"
mkdir -p "$image/run/secrets"
od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"$image/run/secrets/planwright"
chmod 0400 "$image/run/secrets/planwright"
in_image chown planwright: /run/secrets/planwright
echo '127.0.0.1 localhost planwright.example' >"$image/etc/hosts"
ctl migrate | tail -n 1 | sed 's/^/   | /'
in_image "$entry" >"$install_root/container.log" 2>&1 &
runs=$!
until_answers
ctl person add --name Ada --email ada@planwright.example --username ada | sed 's/^/   | /'
printf '%s\n' "$password" | ctl passwd ada | sed 's/^/   | /'
ctl account add 'Our company' --owner ada | sed 's/^/   | /'
ctl doctor | sed 's/^/   | /'
token=$(sign_in ada "$password")
same "GET /me with the token" 200 "$(status_of -H "X-TrackerToken: $token" http://planwright.example/services/v5/me)"
project=$(fill "$token")
picture "$project" "$token" >"$install_root/picture-container"
fact "a project with an attached file: $(wc -c <"$install_root/picture-container") bytes of answers"
# Finds the first process inside: a child of unshare, which may be a child itself.
first=$runs
while [ "$(awk '/^NSpid:/ { print $NF }' "/proc/$first/status")" != 1 ]; do
	first=$(awk '{ print $1 }' "/proc/$first/task/$first/children")
done
in_image "$entry" health
fact "its health check says yes"
(load "$token" "$project" 300 >"$install_root/container.load") &
sleep 1
kill -HUP "$first"
wait $!
same "300 requests, and SIGHUP meanwhile" "300 answers 200" "$(cat "$install_root/container.load")"
kill -TERM "$first"
status=0
wait "$runs" || status=$?
same "its status after SIGTERM" 0 "$status"
grep -c '"GET \|"POST ' "$install_root/container.log" | sed 's/^/   lines of the access log on its standard output: /'
say "" "The image of dev/Containerfile runs." | sed 's/^ //'
