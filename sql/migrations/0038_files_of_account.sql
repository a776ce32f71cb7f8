-- What the files of an account take is summed up from the index alone.
create index file_attachment_size on file_attachment (project_id) include (size);
drop index file_attachment_project;
