-- Who may do what: all of it. enter() opens every request; reads below a project
-- go straight to its core, entered(). What follows in the same transaction asks
-- me() and project(). The SQLSTATEs PW400 to PW404 are this project's own class;
-- src/lib/err.c gives them status and code.
--
-- A function that holds a query is plpgsql wherever a request may call it:
-- PostgreSQL 15 plans one in SQL again in every transaction, unless it is
-- inlined, and plpgsql once in a connection.

-- The caller, null for an anonymous visitor.
create or replace function me() returns bigint language sql stable
return nullif(current_setting('planwright.person', true), '')::bigint;

-- The project of the request, set by enter().
create or replace function project() returns bigint language sql stable
return nullif(current_setting('planwright.project', true), '')::bigint;

-- Whether row triggers are to stay silent. The functions of those that common commands
-- fire ask that first, and what else they depend on: PostgreSQL parses a WHEN anew in every
-- statement, which costs several times as much as to call a function that returns at once.
create or replace function quiet() returns boolean language sql stable
return current_setting('planwright.quiet', true) is not distinct from 'on';

-- The id of the object that this transaction made: made(id) notes it, made()
-- tells it, so that the read-back can travel in the same pipeline.
create or replace function made(id bigint) returns bigint language sql
return set_config('planwright.made', id::text, true)::bigint;
create or replace function made() returns bigint language sql stable
return nullif(current_setting('planwright.made', true), '')::bigint;

-- Ends the request with an error object. detail holds the members that follow
-- `error` in the body (CONTRACT 1.4): general_problem, requirement,
-- possible_fix, validation_errors.
create or replace function refuse(code text, detail json default null) returns void
language plpgsql as $$
begin
	raise exception 'refused' using errcode = code, detail = coalesce(detail::text, '');
end $$;

-- The problem of one field, in the shape of CONTRACT 1.4.
create or replace function refuse_field(field text, problem text) returns void language sql
return refuse('PW400', json_build_object('general_problem', problem, 'validation_errors',
	json_build_array(json_build_object('field', field, 'problem', problem))));

create or replace function refuse_problem(problem text) returns void language sql
return refuse('PW400', json_build_object('general_problem', problem));

-- For writes: the object was there.
create or replace function must(touched bigint) returns void language plpgsql as $$
begin
	if touched = 0 then perform refuse('PW404'); end if;
end $$;

create or replace function role_rank(role text) returns integer language sql immutable
return case role when 'owner' then 3 when 'member' then 2 when 'viewer' then 1 else 0 end;

-- Owners and administrators of an account.
create or replace function is_admin_of(p_account bigint, p_person bigint) returns boolean
language plpgsql stable as $$
begin
	return exists (select from account_membership m
		where m.account_id = p_account and m.person_id = p_person and (m.owner or m.admin));
end $$;

create or replace function is_account_admin(p_account bigint) returns boolean language sql stable
return is_admin_of(p_account, me());

create or replace function refused(code text) returns boolean language plpgsql as $$
begin
	perform refuse(code);
	return true;
end $$;

-- Whether a role in a project, or what else the caller is, meets a route's need.
create or replace function may(p_need text, p_role text, p_public boolean, p_admin boolean)
returns boolean language sql immutable
return case
	when role_rank(p_role) >= case p_need when 'steward' then 3 when 'partner' then 1
		else role_rank(p_need) end then true
	when p_need = 'viewer' then p_public
	when p_need in ('steward', 'partner') then p_admin
	else false end;

-- The project that a story stands in; null: there is no such story. For a write
-- its row is locked, and a story that moved away meanwhile is looked up again.
create or replace function story_project(p_story bigint, p_write boolean) returns bigint
language plpgsql as $$
declare
	v bigint;
begin
	loop
		select s.project_id into v from story s where s.id = p_story;
		if not found or not p_write then return v; end if;
		begin
			perform from project p where p.id = v for no key update;
			perform from story s where s.id = p_story and s.project_id = v;
			if found then return v; end if;
			raise exception using errcode = 'PW000';
		exception when sqlstate 'PW000' then
			null; -- the lock is gone with the block
		end;
	end loop;
end $$;

-- Opens a request inside a project (service-api.md, Authentication; CONTRACT 1.1):
-- credentials, then existence of the project, then the role, then the story of
-- the path. A single query without plpgsql that is inlined into the statement:
-- most requests pass here, and it costs a third of what enter() does.
create or replace function entered(p_mac bytea, p_need text, p_project bigint, p_story bigint)
returns table (person_id bigint, project_id bigint, version bigint, story_counts integer[])
language sql stable as $$
	select c.id, p.id, p.version, p.story_counts
	from (values (1)) request
	left join person c on c.token_mac = p_mac
	left join project p on p.id = p_project
	left join project_membership m on m.project_id = p.id and m.person_id = c.id
	left join story s on s.id = p_story and s.project_id = p.id
	where case
		when p_mac is not null and c.id is null then refused('PW401')
		when p.id is null then refused('PW404')
		when not may(p_need, m.role, p.public, is_admin_of(p.account_id, c.id)) then
			refused('PW403')
		when p_story is not null and s.id is null then refused('PW404')
		else true end
	and set_config('planwright.person', coalesce(c.id::text, ''), true) is not null
	and set_config('planwright.project', p.id::text, true) is not null
$$;

-- Opens any request.
--   p_mac, p_person  the token's digest, or a person whose password was right
--                    (only good outside of projects); both null: an anonymous
--                    visitor
--   p_need           person, viewer, partner (no mere visitor), member, owner,
--                    steward (its owner, or an admin of its account),
--                    account_member, account_admin
--   p_write          locks the project's row: changes of one project queue here
--   p_project …      ids of the path; a story, an epic or a file without a
--                    project names its own
create or replace function enter(p_mac bytea, p_person bigint, p_need text, p_write boolean,
	p_project bigint, p_story bigint, p_account bigint, p_epic bigint,
	p_file bigint,
	out person_id bigint, out project_id bigint, out version bigint, out story_counts integer[])
language plpgsql as $$
#variable_conflict use_column
declare
	v_admin boolean;
	v_set text; -- an assignment costs a fraction of what perform does
begin
	project_id := p_project;
	if p_project is null then
		person_id := p_person;
		if p_mac is not null then
			select p.id into person_id from person p where p.token_mac = p_mac;
			if not found then perform refuse('PW401'); end if;
		end if;
		v_set := set_config('planwright.person', coalesce(person_id::text, ''), true);
	end if;

	if p_account is not null then
		perform from account a where a.id = p_account;
		if not found then perform refuse('PW404'); end if;
		select m.owner or m.admin into v_admin from account_membership m
			where m.account_id = p_account and m.person_id = enter.person_id;
		if not found or (p_need = 'account_admin' and not v_admin) then
			perform refuse('PW403');
		end if;
		return;
	end if;

	if p_project is null and p_story is not null then
		project_id := story_project(p_story, p_write);
		if project_id is null then perform refuse('PW404'); end if;
	end if;
	if p_project is null and p_epic is not null then
		select e.project_id into project_id from epic e where e.id = p_epic;
		if not found then perform refuse('PW404'); end if;
	end if;
	-- A file belongs to its sender alone until it is attached.
	if p_file is not null then
		select f.project_id into project_id from file_attachment f where f.id = p_file
			and (f.comment_id is not null or f.uploader_id = enter.person_id);
		if not found then perform refuse('PW404'); end if;
	end if;
	if project_id is null then
		if person_id is null then perform refuse('PW403'); end if;
		return;
	end if;

	-- The lock first: what is read behind it is what the last writer left.
	if p_write then
		perform pg_advisory_xact_lock((1::bigint << 61) | enter.project_id);
		perform from project p where p.id = enter.project_id for no key update;
	end if;
	select e.person_id, e.version, e.story_counts into person_id, version, story_counts
		from entered(p_mac, p_need, enter.project_id, p_story) e;
	if p_epic is not null and p_project is not null then
		perform from epic e where e.id = p_epic and e.project_id = p_project;
		if not found then perform refuse('PW404'); end if;
	end if;
end $$;
