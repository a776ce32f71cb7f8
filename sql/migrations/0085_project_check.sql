-- PostgreSQL parses a condition of a table again for each update, and every command updates its project. `public` follows
-- from the type, and the type from `public`, in workers (src/domain/project.c).
alter table project drop constraint project_check;
