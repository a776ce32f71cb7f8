-- Releases: stories of type release, each covering the stories between the previous release and
-- itself (contract 5.6).

-- Where each release begins in its project's order, which is after the previous release, and where
-- it ends.
create or replace function release_spans(p_ids bigint[]) returns table (release_id bigint,
	project_id bigint, low_section smallint, low_rank bigint, low_id bigint, high_section smallint,
	high_rank bigint)
language sql stable
begin atomic
	select r.id, r.project_id, coalesce(l.section, -1::smallint), coalesce(l.rank, 0),
		coalesce(l.id, 0), r.section, r.rank
	from story r left join lateral (select p.section, p.rank, p.id from story p
		where p.project_id = r.project_id and p.story_type = 'release'
			and (p.section, p.rank, p.id) < (r.section, r.rank, r.id)
		order by p.section desc, p.rank desc, p.id desc limit 1) l on true
	where r.id = any(p_ids) and r.story_type = 'release';
end;
