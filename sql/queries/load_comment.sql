-- What commands on comments load (store/load.h).

-- name: load_comment
select * from comment where id = $1::bigint

-- name: load_comment_of_file
select * from comment where id = $2::bigint and file_attachment_ids @> array[$1::bigint]

-- name: load_comment_of_google
select * from comment where id = $2::bigint and google_attachment_ids @> array[$1::bigint]

-- The caller's ($1, $2) unattached uploads in the project ($3, otherwise that of the story $4 or
-- the epic $5) among the ids $6; protected from being swept meanwhile.
-- name: load_uploads
select f.*, v.download_url, v.big_url, v.thumbnail_url from file_attachment f
join api.file_attachment v on v.id = f.id
where f.id = any($6::bigint[]) and f.comment_id is null
	and f.uploader_id = coalesce($2::bigint, (select id from person where token_mac = $1::bytea))
	and f.project_id = coalesce($3::bigint, (select project_id from story where id = $4::bigint),
		(select project_id from epic where id = $5::bigint))
for update of f
