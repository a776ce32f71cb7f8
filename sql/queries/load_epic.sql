-- What commands on epics load (store/load.h).

-- The epics of a project except $2, in their order, with what rules need to know of them.
-- name: load_epics
select e.id, e.project_id, e.name, e.label_id, e.rank from epic e
where e.project_id = $1::bigint and e.id is distinct from $2::bigint order by e.rank, e.id
