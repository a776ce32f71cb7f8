-- name: project_import_list
select * from api.project_import where project_id = $1::bigint order by id desc

-- name: project_import_get
select * from api.project_import where id = $1::bigint and project_id = {project}

-- name: project_import_exists
select true as allowed from project_import where project_id = $1::bigint and id = $2::bigint

-- name: project_import_lines
select l.* from api.import_line l where l.import_id = $1::bigint and l.project_id = {project} {where}
order by l.number limit $2::bigint offset $3::bigint

-- name: project_import_line_count
select count(*) from project_import_line l where l.import_id = $1::bigint {where}

-- name: project_import_people
select coalesce(people, '') as people from project_import
where id = $1::bigint and project_id = {project}

-- What is waiting or running: imports of the project, and bytes of the caller's and of all imports.
-- name: project_import_room
select count(*) filter (where i.project_id = $1::bigint) as waiting,
	coalesce(sum(i.size) filter (where i.person_id = {me}), 0)::bigint as own_bytes,
	coalesce(sum(i.size), 0)::bigint as bytes
from project_import i where i.state in ('queued', 'running')

-- name: project_import_id
select nextval(pg_get_serial_sequence('project_import', 'id')) as id

-- name: project_import_create
insert into project_import (id, project_id, person_id, dry_run, overwrite, renumber, date_order, encoding,
	filenames, sizes, size)
select $11::bigint, p.id, $2::bigint, $3::boolean, $4::boolean, $5::boolean, $6::text, $7::text, $8::text[],
	$9::bigint[], $10::bigint
from project p where p.id = $1::bigint for key share
returning id

-- Cancels a waiting or running import; `ended` is false if it was over already. A running import
-- leaves its files to its importer.
-- name: project_import_end
with ended as (update project_import i set state = 'cancelled', progress = null, finished_at = now()
	where i.id = $1::bigint and i.project_id = {project} and not i.committed
		and i.state in ('queued', 'running')
	returning i.id)
select exists (select from ended) as ended, x.state = 'queued' as waited
from project_import x where x.id = $1::bigint and x.project_id = {project}

-- planwright-importer --------------------------------------------------------

-- The first import of each person, in the order of their turns; those being worked on come last.
-- name: importer_waiting
select w.id, l.id is not null as is_held
from (select distinct on (i.person_id) i.person_id, i.id from project_import i
	where i.state in ('queued', 'running') order by i.person_id, i.id) w
left join import_turn t on t.person_id = w.person_id
left join lease l on l.what = 'import' and l.id = w.id and l.until > now()
order by l.id is not null, t.began_at nulls first, w.id limit 100

-- Takes a lease and the import, whose `attempts` now identify this take: whatever the importer writes names them. No
-- lease: somebody has it, perhaps an importer of the previous version, which holds the advisory lock instead. Only a
-- lease: the import was tried too often, or is over. A committed import only has to be recorded, and may fail as many
-- times again.
-- name: importer_take
with leased as materialized (select case when pg_try_advisory_xact_lock_shared(1::bigint << 59 | $1::bigint)
		then lease_take('import', $1::bigint, $3::text::interval) end as lease),
taken as (update project_import i set state = 'running', attempts = i.attempts + 1,
		started_at = case when i.committed then i.started_at else now() end, progress = null
	from leased l where l.lease is not null and i.id = $1::bigint and i.state in ('queued', 'running')
		and i.attempts < case when i.committed then 2 else 1 end * $2::bigint
	returning i.*),
turn as (insert into import_turn (person_id, began_at)
	select person_id, now() from taken where person_id is not null
	on conflict (person_id) do update set began_at = excluded.began_at)
select l.lease::text, i.attempts, i.project_id, i.person_id, i.dry_run, i.overwrite, i.renumber,
	i.date_order, i.encoding, i.filenames, i.sizes, coalesce(i.committed, false) as committed, i.kept_as,
	exists (select from project_membership m join person p on p.id = m.person_id and p.disabled_at is null
		where m.project_id = i.project_id and m.person_id = i.person_id and m.role = 'owner') as may
from leased l left join taken i on true

-- Renews the lease. No row: another importer has it by now, or the import is over.
-- name: importer_progress
with kept as (update lease set until = now() + $5::text::interval where holder = $4::text::uuid
	returning holder)
update project_import i set progress = $3::text from kept
where i.id = $1::bigint and i.attempts = $2::bigint and i.state = 'running'
returning i.id

-- The last statement of the import's own transaction: cancelling the import happens before this, or comes too late. The
-- lease now lasts longer, as nobody renews it during the commit. The result is kept or lost together with the import.
-- late: importer_commit
with kept as (update lease set until = until + $4::text::interval where holder = $3::text::uuid
	returning holder)
update project_import i set committed = true, kept_as = $5::text,
	summary = coalesce($6::text, '{}')::jsonb, summary_text = $7::text, people = $8::text
from kept
where i.id = $1::bigint and i.attempts = $2::bigint and i.state = 'running'
returning i.id

-- Puts the import back into the queue; $3: how many attempts to take back.
-- name: importer_requeue
update project_import i set state = 'queued', attempts = i.attempts - $3::bigint, progress = null
where i.id = $1::bigint and i.attempts = $2::bigint and i.state = 'running'

-- The import was tried too often. Nothing was kept, unless its transaction was committed: then $3 takes the place of
-- $2.
-- name: importer_refuse
update project_import i set state = case when i.committed then coalesce(i.kept_as, 'done') else 'refused' end,
	problem = case when i.committed then $3::text else $2::text end, progress = null, finished_at = now()
where i.id = $1::bigint and i.state in ('queued', 'running')
returning i.committed

-- A commit whose answer was lost looks like a failure, but the row knows better.
-- name: importer_finish
update project_import i set state = case when i.committed and $3::text = 'refused'
		then coalesce(i.kept_as, 'done') else $3::text end,
	problem = case when not i.committed then $6::text end,
	summary = coalesce($4::text::jsonb, i.summary), summary_text = coalesce($5::text, i.summary_text),
	people = coalesce($7::text, i.people), progress = null, finished_at = now()
where i.id = $1::bigint and i.attempts = $2::bigint and i.state = 'running'
returning i.id

-- name: importer_lines_add
insert into project_import_line (import_id, number, file, row_number, line, object_id, field, severity,
	code, message)
select $1::bigint, $2::bigint + x.n, x.file, x."row", x.line, x.id, x."column",
	coalesce(x.severity, 'note'), x.code, x.message
from rows from (jsonb_to_recordset($3::text::jsonb) as (file text, "row" bigint, line bigint, id bigint,
	"column" text, severity text, code text, message text))
	with ordinality as x(file, "row", line, id, "column", severity, code, message, n)

-- Keeps a project's last $2 imports.
-- name: importer_prune
delete from project_import i where i.project_id = $1::bigint and i.finished_at is not null
	and i.id < (select min(x.id) from (select k.id from project_import k
		where k.project_id = $1::bigint and k.finished_at is not null
		order by k.id desc limit $2::bigint) x)

-- Which of these are no longer waiting or running.
-- name: importer_ended
select x.id from unnest($1::bigint[]) x(id) where not exists (select from project_import i
	where i.id = x.id and i.state in ('queued', 'running'))

-- The first statement of the import's own transaction: gives its connection the import's name, so
-- that an importer that takes over can end it. The lock keeps out importers of the previous
-- version.
-- late: importer_set_name
select set_config('application_name', $1::text, true), pg_backend_pid() as pid,
	pg_try_advisory_xact_lock_shared(1::bigint << 59 | $2::bigint) as alone

-- Ends the transaction of an importer that lost the import; only the current holder may.
-- name: importer_terminate_others
select pg_terminate_backend(a.pid) from pg_stat_activity a
where a.application_name = $1::text and a.usename = current_user and a.pid <> pg_backend_pid()
	and exists (select from lease l where l.holder = $2::text::uuid)

-- Ends the importer's own transaction, not one of the same name that another importer has by now.
-- name: importer_terminate_own
select pg_terminate_backend(a.pid) from pg_stat_activity a
where a.application_name = $1::text and a.usename = current_user and a.pid = $2::bigint
