-- name: comments_of_stories
select story_id as parent_id, * from api.comment where story_id = any($1::bigint[])
order by story_id, id

-- name: comments_of_epics
select epic_id as parent_id, * from api.comment where epic_id = any($1::bigint[])
order by epic_id, id

-- name: comments_seen
-- Of projects that the caller sees.
select c.* from api.comment c left join story s on s.id = c.story_id left join epic e on e.id = c.epic_id
where c.id = any($1::bigint[]) and sees_project(coalesce(s.project_id, e.project_id))

-- name: story_comment_list
select * from api.comment where story_id = $1::bigint order by id

-- name: story_comment_get
select * from api.comment where id = coalesce($1::bigint, made()) and story_id = $2::bigint

-- name: epic_comment_list
select * from api.comment where epic_id = $1::bigint order by id

-- name: epic_comment_get
select * from api.comment where id = coalesce($1::bigint, made()) and epic_id = $2::bigint

-- name: story_comment_create
select made(comment_make($2::bigint, null, jsonb_strip_nulls(jsonb_build_object('text', $3::text,
	'person_id', $4::bigint, 'file_attachment_ids', to_jsonb($5::bigint[]),
	'file_attachments', $6::jsonb, 'google_attachments', $7::jsonb, 'attachments', $8::jsonb,
	'commit_identifier', $9::text, 'commit_type', $10::text, 'external_source', $11::text,
	'external_author', $12::text, 'external_link', $13::text))))
where $1::bigint is not null

-- name: epic_comment_create
select made(comment_make(null, $2::bigint, jsonb_strip_nulls(jsonb_build_object('text', $3::text,
	'person_id', $4::bigint, 'file_attachment_ids', to_jsonb($5::bigint[]),
	'file_attachments', $6::jsonb, 'google_attachments', $7::jsonb, 'attachments', $8::jsonb,
	'commit_identifier', $9::text, 'commit_type', $10::text, 'external_source', $11::text,
	'external_author', $12::text, 'external_link', $13::text))))
where $1::bigint is not null

-- name: story_comments_create
select comments_create(coalesce($2::bigint, made()), null, $1::jsonb)

-- name: story_comment_with_update
select comment_make($2::bigint, null, $1::jsonb)

-- name: story_comment_may_update
select comment_writable($3::bigint, $2::bigint, null, false) where $1::bigint is not null

-- name: epic_comment_may_update
select comment_writable($3::bigint, null, $2::bigint, false) where $1::bigint is not null

-- name: story_comment_may_delete
select comment_writable($3::bigint, $2::bigint, null, true) where $1::bigint is not null

-- name: epic_comment_may_delete
select comment_writable($3::bigint, null, $2::bigint, true) where $1::bigint is not null

-- name: story_attachment_may_delete
select attachment_removable($3::bigint, $2::bigint, null, $4::bigint) where $1::bigint is not null

-- name: epic_attachment_may_delete
select attachment_removable($3::bigint, null, $2::bigint, $4::bigint) where $1::bigint is not null

-- name: comment_change
select comment_change($3::bigint, $4::text, $5::jsonb, $6::jsonb, $7::bigint[], $8::bigint[],
	$9::bigint[]) where $1::bigint is not null and $2::bigint is not null

-- name: comment_delete
with d as (delete from comment where id = $3::bigint and $1::bigint is not null
	and $2::bigint is not null returning 1)
select must(count(*)) from d

-- name: comment_drop_google
select comment_drop($3::bigint, null, $4::bigint)
where $1::bigint is not null and $2::bigint is not null

-- name: file_attachment_by_ids
select * from api.file_attachment where id = any($1::bigint[])

-- name: google_attachment_by_ids
select * from api.google_attachment where id = any($1::bigint[])

-- name: attachment_by_ids
select * from api.attachment where id = any($1::bigint[])

-- name: comment_drop_file
select comment_drop($3::bigint, $4::bigint, null)
where $1::bigint is not null and $2::bigint is not null

-- name: upload_create
with i as (insert into file_attachment (project_id, uploader_id, filename, content_type, size, width,
		height, thumbnailable)
	-- The project may be deleted meanwhile: enter() does not lock it for an upload.
	select p.id, me(), left($1::text, 255), $2::text, $3::bigint, $4::bigint::integer,
		$5::bigint::integer, $6::boolean
	from project p where p.id = project() for key share
	returning id)
select must(count(*)), made(max(id)) from i

-- name: file_attachment_get
select * from api.file_attachment where id = coalesce($1::bigint, made())

-- name: file_to_send
select filename, content_type, thumbnailable from file_attachment
where id = $1::bigint and project_id = project()

-- name: source_commit
select source_commit($1::jsonb)

-- name: source_commit_stories
select * from api.story where id = any(current_setting('planwright.commit', true)::bigint[])
	and ($1::bigint is null or true)
order by id
