-- Views of epics, comments and what else hangs on stories; see views.sql.

create view api.epic as
select id, created_at, updated_at, project_id, name, description, label_id, follower_ids, rank
from epic;

create view api.comment as
select id, story_id, epic_id, text, person_id, created_at, updated_at, file_attachment_ids,
	google_attachment_ids, file_attachment_ids || google_attachment_ids as attachment_ids,
	commit_identifier, commit_type, external_source, external_author, external_link
from comment;

create view api.file_attachment as
select id, filename, created_at, uploader_id, thumbnailable, height, width, size,
	format('/file_attachments/%s/download', id) as download_url, content_type,
	comment_id is not null as uploaded,
	case when thumbnailable then format('/file_attachments/%s/big', id) else '#' end as big_url,
	case when thumbnailable then format('/file_attachments/%s/thumbnail', id) else '#' end
		as thumbnail_url
from file_attachment;

create view api.google_attachment as
select id, comment_id, person_id, google_kind, title, google_id, alternate_link, resource_id
from google_attachment;
