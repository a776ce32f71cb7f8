-- name: source_commit
select source_commit($1::jsonb)

-- name: source_commit_stories
select s.* from unnest(string_to_array(nullif(current_setting('planwright.commit', true), ''),
	',')::bigint[]) with ordinality c(id, n) join api.story s on s.id = c.id order by c.n

-- name: workspace_activity_list
select v.* from workspace w cross join lateral unnest(w.project_ids) j(id)
join project_membership m on m.project_id = j.id and m.person_id = me()
cross join lateral (select a.* from api.activity a where a.project_id = j.id {where}
	order by a.project_version desc limit $2::bigint + $3::bigint) v
where w.id = $1::bigint and w.person_id = me()
order by v.occurred_at desc, v.project_id, v.project_version desc limit $2::bigint offset $3::bigint

-- name: workspace_activity_count
select count(*) from workspace w cross join lateral unnest(w.project_ids) j(id)
join project_membership m on m.project_id = j.id and m.person_id = me()
join api.activity a on a.project_id = j.id
where w.id = $1::bigint and w.person_id = me() {where}

-- name: workspace_mine
select must(count(*)) from workspace where id = $1::bigint and person_id = me()
