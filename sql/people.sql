-- People, and what makes them people of accounts and projects (service-api.md,
-- Accounts and account memberships, Project memberships; CONTRACT 1.4).

-- People are made one after the other: others may bring the same address, or one that gives
-- the same user name.
create or replace function people_lock() returns void language sql
return pg_advisory_xact_lock('person'::regclass::oid::integer, 0);

-- Initials and user name are made up when they are not given.
create or replace function person_create(p_name text, p_initials text, p_username text,
	p_email text) returns bigint language plpgsql as $$
declare
	v bigint;
	v_username text := p_username;
	v_base text := coalesce(nullif(left(regexp_replace(lower(split_part(p_email, '@', 1)),
		'[^a-z0-9_.-]', '', 'g'), 80), ''), 'user');
begin
	perform people_lock();
	if v_username is null then
		v_username := v_base;
		for i in 2 .. 1000 loop
			exit when not exists (select from person where lower(username) = lower(v_username));
			v_username := v_base || case when i < 1000 then i::text
				else left(md5(random()::text), 12) end;
		end loop;
	end if;
	insert into person (name, initials, username, email)
	values (btrim(p_name), coalesce(nullif(btrim(p_initials), ''),
		upper(left((select string_agg(left(w, 1), '') from
			regexp_split_to_table(btrim(p_name), '\s+') w), 3))), v_username, p_email)
	returning id into v;
	return v;
end $$;

-- Takes people into an account, but for those who are in it. Its row is locked: who is in it
-- holds until the end.
create or replace function account_admit(p_account bigint, p_people bigint[]) returns void
language plpgsql as $$
begin
	perform from account where id = p_account for no key update;
	insert into account_membership (account_id, person_id)
	select p_account, person from unnest(p_people) person
	where not exists (select from account_membership m
		where m.account_id = p_account and m.person_id = person);
end $$;

-- A project's people are people of its account.
create or replace function project_membership_rules() returns trigger language plpgsql as $$
begin
	if quiet() then return new; end if;
	if tg_op = 'INSERT' then
		if exists (select from project_membership where project_id = new.project_id
			and person_id = new.person_id) then
			perform refuse_field('person_id', format('%s is already a project member',
				(select name from person where id = new.person_id)));
		end if;
		perform account_admit((select account_id from project where id = new.project_id),
			array[new.person_id]);
	else
		new.updated_at := clock();
	end if;
	return new;
end $$;
drop trigger if exists rules on project_membership;
create trigger rules before insert or update on project_membership
	for each row execute function project_membership_rules();
