-- Who comments follows: the follower_ids of stories and epics name them, too,
-- and are all that notifications go by, so that whoever is taken out of them
-- hears no more. Those who have commented so far join them, unless they left.

select set_config('planwright.quiet', 'on', true);

update story s set follower_ids = s.follower_ids || c.ids
from (select x.story_id, array_agg(x.person_id order by x.first) as ids
	from (select story_id, person_id, min(id) as first from comment
		where story_id is not null and person_id is not null group by story_id, person_id) x
	join story o on o.id = x.story_id
	join project_membership m on m.project_id = o.project_id and m.person_id = x.person_id
	where x.person_id <> all (o.follower_ids) group by x.story_id) c
where s.id = c.story_id;

update epic e set follower_ids = e.follower_ids || c.ids
from (select x.epic_id, array_agg(x.person_id order by x.first) as ids
	from (select epic_id, person_id, min(id) as first from comment
		where epic_id is not null and person_id is not null group by epic_id, person_id) x
	join epic o on o.id = x.epic_id
	join project_membership m on m.project_id = o.project_id and m.person_id = x.person_id
	where x.person_id <> all (o.follower_ids) group by x.epic_id) c
where e.id = c.epic_id;

select set_config('planwright.quiet', '', true);
