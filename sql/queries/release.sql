-- name: release_by_ids
select * from api.release where id = any($1::bigint[])

-- name: release_list
select v.* from (select s.id, s.section, s.rank from story s
	where s.project_id = $1::bigint and s.story_type = 'release' {where}
	order by s.section, s.rank, s.id limit $2::bigint offset $3::bigint) p
join api.release v on v.id = p.id order by p.section, p.rank, p.id

-- name: release_count
select count(*) from story s where s.project_id = $1::bigint and s.story_type = 'release' {where}

-- name: release_get
select * from api.release where id = $1::bigint and project_id = {project}

-- name: release_exists
select true as allowed from story
where project_id = $1::bigint and id = $2::bigint and story_type = 'release'

-- name: release_stories
select s.* from release_spans(array[$1::bigint]) r
join api.story s on s.project_id = r.project_id
	and (s.section, s.rank, s.id) > (r.low_section, r.low_rank, r.low_id)
	and (s.section, s.rank, s.id) < (r.high_section, r.high_rank, r.release_id)
order by s.section, s.rank, s.id

-- name: release_csv
select s.*, to_char(s.accepted_at at time zone (select p.time_zone from project p
	where p.id = {project}), 'YYYY-MM-DD HH24:MI:SS') as accepted_local,
	s.estimate::text as estimate_text
from release_spans(array[$1::bigint]) r
join api.story s on s.project_id = r.project_id
	and (s.section, s.rank, s.id) > (r.low_section, r.low_rank, r.low_id)
	and (s.section, s.rank, s.id) < (r.high_section, r.high_rank, r.release_id)
order by s.section, s.rank, s.id

-- name: release_zone
select time_zone from project where id = {project}

-- name: stories_of_releases
select r.release_id as parent_id, s.* from release_spans($1::bigint[]) r
join api.story s on s.project_id = r.project_id
	and (s.section, s.rank, s.id) > (r.low_section, r.low_rank, r.low_id)
	and (s.section, s.rank, s.id) < (r.high_section, r.high_rank, r.release_id)
order by r.release_id, s.section, s.rank, s.id

-- name: release_rollups
select r.release_id as parent_id,
	coalesce(sum(s.estimate) filter (where s.section = 0), 0) as points_accepted,
	coalesce(sum(s.estimate), 0) as points_total,
	count(s.id) filter (where s.section = 0) as counts_accepted, count(s.id) as counts_total
from release_spans($1::bigint[]) r left join story s on s.project_id = r.project_id
	and (s.section, s.rank, s.id) > (r.low_section, r.low_rank, r.low_id)
	and (s.section, s.rank, s.id) < (r.high_section, r.high_rank, r.release_id)
group by r.release_id
