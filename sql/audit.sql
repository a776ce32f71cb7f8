-- The audit log has a partition for each UTC month. Creates those that this month and the next three still lack, drops
-- those that ended at least p_months ago (null: none), and returns how many it dropped. Rows of such a month in the
-- default partition move to the new one. Without p_changes, it only counts what it would drop. It runs with the rights
-- of the schema's owner, as the programs' role may only add and read rows.
create function audit_keep(p_months bigint, p_changes boolean) returns bigint language plpgsql security definer
set search_path = planwright, pg_temp set lock_timeout = '10s' as $$
declare
	v_now timestamp := date_trunc('month', now() at time zone 'UTC');
	v_month timestamp;
	v_name text;
	v_from timestamptz;
	v_to timestamptz;
	v_dropped bigint := 0;
begin
	for v_month in select generate_series(v_now, v_now + interval '3 months', interval '1 month') loop
		v_name := 'audit_entry_' || to_char(v_month, 'YYYY_MM');
		v_from := v_month at time zone 'UTC';
		v_to := (v_month + interval '1 month') at time zone 'UTC';
		continue when to_regclass(v_name) is not null or not p_changes;
		execute format('create table %I (like audit_entry including defaults)', v_name);
		alter table audit_entry_rest disable rule audit_entry_stays_there;
		execute format('with d as (delete from audit_entry_rest where occurred_at >= %L and occurred_at < %L returning *)
			insert into %I select * from d', v_from, v_to, v_name);
		alter table audit_entry_rest enable rule audit_entry_stays_there;
		execute format('alter table audit_entry attach partition %I for values from (%L) to (%L)', v_name, v_from, v_to);
		execute format('create rule audit_entry_stays as on update to %I do instead nothing', v_name);
		execute format('create rule audit_entry_stays_there as on delete to %I do instead nothing', v_name);
	end loop;
	for v_name in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
		where i.inhparent = 'audit_entry'::regclass and c.relname ~ '^audit_entry_\d{4}_\d\d$'
			and to_date(right(c.relname, 7), 'YYYY_MM') < v_now - p_months * interval '1 month'
	loop
		if p_changes then execute format('drop table %I', v_name); end if;
		v_dropped := v_dropped + 1;
	end loop;
	return v_dropped;
end $$;

select audit_keep(null, true);
