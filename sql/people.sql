-- People, and what makes them people of accounts and projects (service-api.md,
-- Accounts and account memberships, Project memberships; CONTRACT 1.4).

-- People are made one after the other: others may bring the same address, or one that gives
-- the same user name.
create or replace function people_lock() returns void language sql
return pg_advisory_xact_lock('person'::regclass::oid::integer, 0);

-- A person by id, or by address, made when nobody has that address.
create or replace function person_for_membership(p_person bigint, p_email text, p_name text,
	p_initials text) returns bigint language plpgsql as $$
declare
	v bigint;
begin
	if p_person is not null then
		if coalesce(p_email, p_name, p_initials) is not null then
			perform refuse_problem('Do not send person_id with email, initials, or name in the same '
				'request.');
		end if;
		select id into v from person where id = p_person;
		if not found and p_person not between -2147483648 and 2147483647 then
			perform refuse_problem('Couldn''t find Person with an out of range value for ''id''');
		elsif not found then
			perform refuse('PW404', json_build_object('general_problem',
				format('Couldn''t find Person with ''id''=%s', p_person)));
		end if;
		return v;
	end if;
	if p_email is null or btrim(p_email) = '' then
		perform refuse_problems(array_remove(array[problem('email', 'Email can''t be blank.'),
			case when coalesce(btrim(p_name), '') = '' then
				problem('name', 'Name can''t be blank') end], null));
	end if;
	if p_email !~ '^[^@\s]+@[^@\s]+$' then
		perform refuse('PW400', json_build_object(
			'error', 'One or more consistency checks failed on the supplied Person.',
			'general_problem', 'One or more consistency checks failed on the supplied Person.',
			'requirement', format('%s is not a valid email address.', p_email)));
	end if;
	select id into v from person where lower(email) = lower(p_email);
	if found then return v; end if;
	if coalesce(btrim(p_name), '') = '' then
		perform refuse_field('name', 'Name can''t be blank');
	end if;
	perform people_lock();
	select id into v from person where lower(email) = lower(p_email);
	return coalesce(v, person_create(p_name, p_initials, null, p_email));
end $$;

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

-- Never a project without an owner, unless it was made without one.
create or replace function project_membership_last_owner() returns trigger language plpgsql as $$
begin
	if old.role = 'owner' and (tg_op = 'DELETE' or new.role <> 'owner')
		and exists (select from project where id = old.project_id)
		and not exists (select from project_membership where project_id = old.project_id
			and role = 'owner') then
		perform refuse_field('role', 'A project must have at least one owner.');
	end if;
	return null;
end $$;
drop trigger if exists last_owner on project_membership;
create trigger last_owner after update of role or delete on project_membership
	for each row execute function project_membership_last_owner();

-- PUT on a membership: role is the steward's to change; colour, favourite and mail
-- are the person's own, too.
create or replace function membership_writable(p_membership bigint, p_role text) returns boolean
language plpgsql as $$
declare
	v project_membership;
	v_steward boolean := exists (select from project_membership where project_id = project()
			and person_id = me() and role = 'owner')
		or is_account_admin((select account_id from project where id = project()));
begin
	select * into v from project_membership where id = p_membership and project_id = project();
	if not found then perform refuse('PW404'); end if;
	if not v_steward and (v.person_id is distinct from me() or (p_role is not null
		and p_role <> v.role)) then
		perform refuse('PW403');
	end if;
	return true;
end $$;

-- DELETE on a membership: a steward's right, and everybody's own.
create or replace function membership_removable(p_membership bigint) returns boolean
language plpgsql as $$
begin
	return membership_writable(p_membership, null);
end $$;

-- Six hexadecimal digits, in lower case, without the '#'.
create or replace function color_of(p_color text) returns text language plpgsql immutable as $$
begin
	if p_color !~ '^[0-9A-Fa-f]{6}$' then
		perform refuse_field('project_color', 'project_color must be six hexadecimal digits.');
	end if;
	return lower(p_color);
end $$;

-- Whether the caller may read a project, for what an answer names beside its own project.
create or replace function sees_project(p_project bigint) returns boolean
language plpgsql stable as $$
begin
	return p_project = project()
	or exists (select from project p where p.id = p_project and p.public)
	or exists (select from project_membership m
		where m.project_id = p_project and m.person_id = me());
end $$;

-- Who comes and who leaves wait for each other: the account's row is locked. A project's is
-- locked before its account's wherever both are.
create or replace function account_membership_rules() returns trigger language plpgsql as $$
begin
	if tg_op = 'INSERT' then
		perform from account where id = new.account_id for no key update;
		if exists (select from account_membership
			where account_id = new.account_id and person_id = new.person_id) then
			perform refuse_problem('Member already exists.');
		end if;
	elsif tg_op = 'UPDATE' then
		new.updated_at := clock();
	elsif old.owner and exists (select from account where id = old.account_id) then
		perform refuse_problem('The owner of an account cannot be removed from it.');
	else
		perform from project where account_id = old.account_id order by id for no key update;
		perform from account where id = old.account_id for no key update;
	end if;
	return case tg_op when 'DELETE' then old else new end;
end $$;
drop trigger if exists rules on account_membership;
create trigger rules before insert or update or delete on account_membership
	for each row execute function account_membership_rules();

-- Who leaves an account leaves its projects.
create or replace function account_membership_leave() returns trigger language plpgsql as $$
declare
	v bigint;
begin
	for v in select m.project_id from project_membership m join project p on p.id = m.project_id
		where p.account_id = old.account_id and m.person_id = old.person_id
		order by m.project_id loop
		perform set_config('planwright.project', v::text, true);
		delete from project_membership where project_id = v and person_id = old.person_id;
		perform leave('project_membership_delete');
	end loop;
	return null;
end $$;
drop trigger if exists leave_projects on account_membership;
create trigger leave_projects after delete on account_membership
	for each row execute function account_membership_leave();
