-- name: comments_of_stories
select story_id as parent_id, * from api.comment where story_id = any($1::bigint[])
order by story_id, id

-- name: comments_of_epics
select epic_id as parent_id, * from api.comment where epic_id = any($1::bigint[])
order by epic_id, id

-- name: comments_visible
-- Those in projects that the caller sees.
select c.* from api.comment c left join story s on s.id = c.story_id left join epic e on e.id = c.epic_id
cross join lateral (select coalesce(s.project_id, e.project_id) as id) h
where c.id = any($1::bigint[]) and (h.id = {project}
	or (select j.public from project j where j.id = h.id)
	or exists (select from project_membership m where m.project_id = h.id and m.person_id = {me}
		and {reached m.project_id}))

-- name: story_comment_list
select * from api.comment where story_id = $1::bigint order by id

-- name: story_comment_get
select * from api.comment where id = $1::bigint and story_id = $2::bigint

-- name: epic_comment_list
select * from api.comment where epic_id = $1::bigint order by id

-- name: epic_comment_get
select * from api.comment where id = $1::bigint and epic_id = $2::bigint

-- name: file_attachment_by_ids
select * from api.file_attachment where id = any($1::bigint[])

-- name: google_attachment_by_ids
select * from api.google_attachment where id = any($1::bigint[])

-- name: attachment_by_ids
select * from api.attachment where id = any($1::bigint[])

-- If there is a quota, uploads to an account take turns.
-- name: account_files_lock
select id from account where id = (select account_id from project where id = $1::bigint)
for no key update

-- The size of all files of the project's account, including uploads that wait to be attached.
-- name: account_files_size
select coalesce(sum(f.size), 0)::bigint as bytes
from project p join project q on q.account_id = p.account_id
join file_attachment f on f.project_id = q.id
where p.id = $1::bigint

-- Taken before the files are stored, as they are named after it.
-- name: upload_id
select nextval('attachment_id') as id

-- The project may have been deleted in the meantime: an upload does not lock it.
-- name: upload_create
insert into file_attachment (id, project_id, uploader_id, filename, content_type, size, width, height,
	thumbnailable)
select $9::bigint, p.id, $2::bigint, left($3::text, 255), $4::text, $5::bigint, $6::bigint::integer,
	$7::bigint::integer, $8::boolean
from project p where p.id = $1::bigint for key share
returning id

-- name: file_attachment_get
select * from api.file_attachment where id = $1::bigint

-- name: file_to_send
select filename, content_type, thumbnailable from file_attachment
where id = $1::bigint and project_id = coalesce({project}, project_id)
