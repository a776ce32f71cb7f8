-- What commands on comments load (store/load.h).

-- name: load_comment
select * from comment where id = $1::bigint

-- name: load_comment_of_file
select * from comment where id = $2::bigint and file_attachment_ids @> array[$1::bigint]

-- name: load_comment_of_google
select * from comment where id = $2::bigint and google_attachment_ids @> array[$1::bigint]

-- The caller's unattached uploads in the project ($1, otherwise that of the story $2 or the epic
-- $3) among the ids $4; locked, so that they are not swept in the meantime.
-- name: load_uploads
select f.*, v.download_url, v.big_url, v.thumbnail_url from file_attachment f
join api.file_attachment v on v.id = f.id
where f.id = any($4::bigint[]) and f.comment_id is null and f.uploader_id = {me}
	and {writes}
	and f.project_id = coalesce($1::bigint, (select project_id from story where id = $2::bigint),
		(select project_id from epic where id = $3::bigint))
for update of f
