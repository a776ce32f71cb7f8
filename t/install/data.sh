# shellcheck shell=bash disable=SC2034
# Shell functions to use a server over HTTP, and to compare two. To be sourced after lib.sh.

password='a password for Ada'
passphrase='a passphrase for backups'

# sign_in LOGIN PASSWORD: the token that the server returns for them.
sign_in() { inside curl -sS --fail-with-body -u "$1:$2" http://planwright.example/services/v5/me | field api_token; }

# post PATH TOKEN JSON: the response.
post() { api POST "$1" "$2" -H 'Content-Type: application/json' -d "$3"; }

# fill TOKEN: creates a project with stories, an epic, a comment and an attached file; prints its id.
fill() {
	local token=$1 project story file n
	project=$(post /projects "$token" '{"name":"Lighthouse","new_account_name":"Keepers"}' | field id)
	for n in $(seq 12); do
		post "/projects/$project/stories" "$token" \
			"{\"name\":\"Story $n\",\"estimate\":1,\"current_state\":\"unstarted\",\"labels\":[\"lamp\"]}" >/dev/null
	done
	post "/projects/$project/epics" "$token" '{"name":"Light"}' >/dev/null
	story=$(api GET "/projects/$project/stories?limit=1" "$token" | field id)
	head -c 70000 /dev/urandom >"$machine/root/attached"
	file=$(api POST "/projects/$project/uploads" "$token" -F file=@/root/attached)
	post "/projects/$project/stories/$story/comments" "$token" \
		"{\"text\":\"See the file\",\"file_attachments\":[$file]}" >/dev/null
	echo "$project"
}

# picture PROJECT TOKEN: prints the contents of a project, with checksums of attachments.
picture() {
	local project=$1 token=$2 path url
	for path in "/projects/$project?fields=name,account_id,velocity_averaged_over,point_scale,time_zone" \
		"/projects/$project/stories?limit=500&fields=name,story_type,current_state,estimate,created_at,labels(name),tasks(description,complete),owner_ids,comments(text,person_id,file_attachments(filename,size))" \
		"/projects/$project/epics?fields=name,description,label(name)" \
		"/projects/$project/labels?fields=name" \
		"/projects/$project/memberships?fields=role,person(name,email,username)" \
		"/projects/$project/activity?limit=100&fields=message,project_version,occurred_at"; do
		api GET "$path" "$token"
		echo
	done
	for url in $(api GET "/projects/$project/stories?limit=500&fields=comments(file_attachments(download_url))" "$token" |
		grep -o '/file_attachments/[^"]*'); do
		inside curl -sS --fail-with-body -H "X-TrackerToken: $token" "http://planwright.example$url" | sha256sum
	done
}

# metric LINE: its value in /-/metrics.
metric() {
	inside curl -sS --fail-with-body http://planwright.example/-/metrics |
		awk -v name="$1" '$1 == name { print $2 }'
}

# load TOKEN N: sends N requests from eight clients, a third of them changes; prints how many got which status.
load() {
	cat >"$machine/root/load.sh" <<-'SH'
		one() {
			if [ $(($1 % 3)) -eq 0 ]; then
				curl -s -o /dev/null -w '%{http_code}\n' -H "X-TrackerToken: $TOKEN" -H 'Content-Type: application/json' \
					-d "{\"name\":\"Load $1\"}" "http://planwright.example/services/v5/projects/$PROJECT/stories"
			else
				curl -s -o /dev/null -w '%{http_code}\n' -H "X-TrackerToken: $TOKEN" \
					"http://planwright.example/services/v5/projects/$PROJECT/stories?limit=10"
			fi
		}
		export -f one
		seq "$1" | xargs -P 8 -I N bash -c 'one N' | sort | uniq -c | awk '{ printf "%s%s answers %s", sep, $1, $2; sep = ", " }'
	SH
	inside env TOKEN="$1" PROJECT="$2" bash /root/load.sh "$3"
}
