-- Many stories of a project at once (api/story_bulk.c): $1 their ids, $2 the project.

-- name: load_stories_placed
select s.*, b.id as before_id, a.id as after_id
from unnest($1::bigint[]) i(id) join story s on s.id = i.id and s.project_id = $2::bigint
left join lateral (select n.id from story n where n.project_id = s.project_id
	and (n.section, n.rank, n.id) > (s.section, s.rank, s.id)
	order by n.section, n.rank, n.id limit 1) b on true
left join lateral (select n.id from story n where n.project_id = s.project_id
	and (n.section, n.rank, n.id) < (s.section, s.rank, s.id)
	order by n.section desc, n.rank desc, n.id desc limit 1) a on true

-- name: load_labels_of_stories
select l.* from label l where l.id in (select unnest(s.label_ids) from story s
	where s.id = any($1::bigint[]) and s.project_id = $2::bigint)

-- name: load_blockers_on_all
select b.*, exists (select from story s where s.id = any(b.blocking_story_ids)
	and s.id <> all($1::bigint[]) and s.section <> 0) as waits
from blocker b join story o on o.id = b.story_id and o.project_id = $2::bigint
where b.blocking_story_ids && $1::bigint[] and not b.resolved order by b.id

-- name: load_stories_blocked_by
select s.* from story s where s.project_id = $2::bigint and s.id <> all($1::bigint[])
	and s.id in (select b.story_id from blocker b
		where b.blocking_story_ids && $1::bigint[] and not b.resolved)

-- load_order and load_order_accepted of the project $1, without the stories $2.
-- name: load_order_without
select 0 as which, x.section as at, n.* from generate_series(0::bigint, 4) x(section)
cross join lateral (select s.id, s.rank, s.section::bigint as section, s.name from story s
	where s.project_id = $1::bigint and s.section >= x.section and s.id <> all($2::bigint[])
	order by s.section, s.rank, s.id limit 1) n
union all
select 1, x.section, n.* from generate_series(0::bigint, 4) x(section)
cross join lateral (select s.id, s.rank, s.section::bigint as section, s.name from story s
	where s.project_id = $1::bigint and s.section <= x.section and s.id <> all($2::bigint[])
	order by s.section desc, s.rank desc, s.id desc limit 1) n
union all
select 2, 0, n.* from (select s.id, s.rank, s.section::bigint as section, s.name from story s
	where s.project_id = $1::bigint and s.section = 0 and s.id <> all($2::bigint[])
	and s.rank <= (extract(epoch from now()) * 1000000)::bigint
	order by s.rank desc, s.id desc limit 1) n
union all
select 3, 0, n.* from (select s.id, s.rank, s.section::bigint as section, s.name from story s
	where s.project_id = $1::bigint and s.section = 0 and s.id <> all($2::bigint[])
	and s.rank > (extract(epoch from now()) * 1000000)::bigint
	order by s.rank, s.id limit 1) n

-- name: load_neighbours_without
select s.id, s.rank, s.section::bigint as section, s.name,
	coalesce(a.id, 0) as prev_id, a.rank as prev_rank, a.section::bigint as prev_section, a.name as prev_name,
	coalesce(b.id, 0) as next_id, b.rank as next_rank, b.section::bigint as next_section, b.name as next_name
from story s
left join lateral (select n.id, n.rank, n.section, n.name from story n
	where n.project_id = s.project_id and n.id <> all($2::bigint[])
	and (n.section, n.rank, n.id) > (s.section, s.rank, s.id)
	order by n.section, n.rank, n.id limit 1) b on true
left join lateral (select n.id, n.rank, n.section, n.name from story n
	where n.project_id = s.project_id and n.id <> all($2::bigint[])
	and (n.section, n.rank, n.id) < (s.section, s.rank, s.id)
	order by n.section desc, n.rank desc, n.id desc limit 1) a on true
where s.project_id = $1::bigint and s.id = any($3::bigint[])

-- name: stories_listed
select s.* from unnest($1::bigint[]) with ordinality x(id, n)
join api.story s on s.id = x.id order by x.n
