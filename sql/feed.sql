-- Feeds by time, without reading what they do not show. An activity is at most told_late_s earlier than any with a
-- lower version (sql/migrations/0071_feed_times.sql). So if one is early enough, all lower versions are early enough,
-- too, and if one is late enough, all higher versions are late enough.

-- How many of the project's activities occurred before p_before and after p_after, and have versions above p_since
-- (null: no limit). All from v_low to v_high qualify, and each version has one, so only those on either side are read.
create function feed_total(p_id bigint, p_before timestamptz, p_after timestamptz, p_since bigint)
returns bigint language plpgsql stable as $$
declare
	v_version bigint;
	v_late interval;
	v_first bigint;
	v_last bigint;
	v_low bigint;
	v_high bigint;
begin
	select p.version, p.told_late_s * interval '1 second' into v_version, v_late from project p where p.id = p_id;
	v_first := greatest(least(coalesce(p_since, 1), v_version) + 1, 2);
	v_last := v_version;
	if p_before is not null then
		v_last := least(v_last, (select a.version from activity a where a.project_id = p_id
			and a.occurred_at >= p_before + v_late order by a.occurred_at limit 1));
		v_high := coalesce((select a.version from activity a where a.project_id = p_id
			and a.occurred_at < p_before - v_late order by a.occurred_at desc limit 1), 0);
	end if;
	if p_after is not null then
		v_first := greatest(v_first, (select a.version from activity a where a.project_id = p_id
			and a.occurred_at <= p_after - v_late order by a.occurred_at desc limit 1));
		v_low := coalesce((select a.version from activity a where a.project_id = p_id
			and a.occurred_at > p_after + v_late order by a.occurred_at limit 1), v_last + 1);
	end if;
	v_low := greatest(v_low, v_first);
	v_high := least(v_high, v_last);
	if v_late is null or v_low > v_high then
		v_low := v_last + 1;
		v_high := v_last;
	end if;
	return v_high - v_low + 1 + (select count(*) from activity a
			where a.project_id = p_id and a.version >= v_first and a.version < v_low
			and (p_before is null or a.occurred_at < p_before) and (p_after is null or a.occurred_at > p_after))
		+ (select count(*) from activity a
			where a.project_id = p_id and a.version > v_high and a.version <= v_last
			and (p_before is null or a.occurred_at < p_before) and (p_after is null or a.occurred_at > p_after));
end $$;
