-- The demo that planwrightctl demo loads: functions that live as long as its
-- connection. Everything goes through the triggers that requests go through,
-- event by event in the order of time, with the service's clock set to each.

-- The next event: its time, who does it, in which project.
create or replace function pg_temp.demo_at(p_time timestamptz, p_person bigint, p_project bigint)
returns void language plpgsql as $$
begin
	perform set_config('planwright.now', coalesce(p_time::text, ''), true),
		set_config('planwright.person', coalesce(p_person::text, ''), true),
		set_config('planwright.project', coalesce(p_project::text, ''), true),
		set_config('planwright.notes', '', true);
end $$;

-- The week that the demo begins in: eight iterations, the last of them the current one.
create or replace function pg_temp.demo_begin() returns timestamptz language sql stable
return week_start((now() at time zone 'UTC')::date, 'Monday')::timestamp at time zone 'UTC'
	- interval '49 days';

-- People ---------------------------------------------------------------------

create or replace function pg_temp.demo_person(p_username text) returns bigint language sql stable
return (select id from person where lower(email) = p_username || '@demo.example');

-- The four people, made when they are not there.
create or replace function pg_temp.demo_people()
returns table (role text, id bigint, username text, email text) language plpgsql as $$
#variable_conflict use_column
declare
	p record;
begin
	perform pg_temp.demo_at(pg_temp.demo_begin(), null, null);
	for p in select * from (values ('owner', 'Olga Owner', 'OO'), ('member', 'Max Member', 'MM'),
		('viewer', 'Vera Viewer', 'VV'), ('stranger', 'Stan Stranger', 'SS'))
		as v(username, name, initials) loop
		if pg_temp.demo_person(p.username) is null then
			perform person_create(p.name, p.initials, p.username, p.username || '@demo.example');
		end if;
	end loop;
	perform pg_temp.demo_at(null, null, null);
	return query select v.role, person.id, person.username, person.email
		from unnest(array['owner', 'member', 'viewer', 'stranger']) v(role)
		join person on person.id = pg_temp.demo_person(v.role);
end $$;

-- Stories --------------------------------------------------------------------

-- The states that a story goes through after it was made.
create or replace function pg_temp.demo_path(p_type text, p_state text) returns text[]
language sql immutable
return case
	when p_state in ('unscheduled', 'unstarted') then '{}'
	when p_type = 'chore' and p_state = 'accepted' then array['started', 'accepted']
	when p_type = 'release' or p_state = 'planned' then array[p_state]
	else (array['started', 'finished', 'delivered', 'accepted', 'rejected'])
		[1:least(3, array_position(array['started', 'finished', 'delivered'], p_state))]
		|| case when p_state in ('accepted', 'rejected') then array[p_state] else '{}' end end;

-- week, day: when it came to its state; 0 is this week, of which 7 days are the part gone by.
create or replace function pg_temp.demo_stories() returns table (project text, week integer,
	day double precision, story_type text, state text, estimate double precision, requester text,
	owner text, labels text[], name text, description text, tasks text[]) language sql stable
begin atomic
values
	('private', 6, 1, 'feature', 'accepted', 2, 'owner', 'member', '{catalogue}'::text[],
		'List the tools that can be borrowed', 'Name, picture, and whether it is at home.',
		array['A page of twenty', 'A grey tag for those lent out']),
	('private', 6, 2, 'feature', 'accepted', 3, 'owner', 'owner', '{members}',
		'Sign up with a library card', null, null),
	('private', 6, 3, 'chore', 'accepted', null, 'owner', 'member', '{}',
		'Move the card index into the database', null, null),
	('private', 6, 4, 'feature', 'accepted', 1, 'owner', 'member', '{catalogue,search}',
		'Find a tool by its name', null, null),
	('private', 5, 1, 'feature', 'accepted', 3, 'owner', 'member', '{loans}',
		'Borrow a tool for a week', 'The desk hands it out; the system keeps the day it is due.',
		array['Button at the desk', 'Receipt on paper', 'Day due, never a Sunday']),
	('private', 5, 2, 'bug', 'accepted', null, 'member', 'owner', '{search}',
		'Searching for "saw" finds "seesaw"', null, null),
	('private', 5, 3, 'feature', 'accepted', 2, 'owner', 'owner', '{loans}',
		'Take a tool back', null, null),
	('private', 5, 4, 'feature', 'accepted', 3, 'owner', 'member', '{members}',
		'See what I have borrowed', null, null),
	('private', 4, 1, 'feature', 'accepted', 1, 'owner', 'owner', '{loans,mail}',
		'Remind borrowers a day before', null, null),
	('private', 4, 2, 'feature', 'accepted', 3, 'owner', 'member', '{loans}',
		'Reserve a tool that is lent out', null, array['Queue of waiting people', 'Mail to the next']),
	('private', 4, 3, 'bug', 'accepted', null, 'owner', 'member', '{mail}',
		'Reminders name the wrong day after midnight', null, null),
	('private', 4, 4, 'release', 'accepted', null, 'owner', null, '{}',
		'First Saturday at the desk', 'Lending by computer, with the card index in the drawer.', null),
	('private', 3, 0, 'feature', 'accepted', 2, 'owner', 'member', '{catalogue}',
		'Show how to use a tool safely', null, null),
	('private', 3, 2, 'chore', 'accepted', null, 'member', 'member', '{}',
		'Copy the database to the vault every night', null, null),
	('private', 3, 3, 'feature', 'accepted', 3, 'owner', 'owner', '{loans}',
		'Lengthen a loan when nobody waits', null, null),
	('private', 3, 4, 'feature', 'accepted', 2, 'owner', 'member', '{members}',
		'Change my address and my card', null, null),
	('private', 2, 1, 'feature', 'accepted', 3, 'owner', 'member', '{search}',
		'Browse by what a tool is for', 'Wood, metal, garden, paint, electricity.', null),
	('private', 2, 2, 'bug', 'accepted', null, 'member', 'member', '{loans}',
		'Two people reserved the same drill', null, null),
	('private', 2, 3, 'feature', 'accepted', 3, 'owner', 'owner', '{fees}',
		'Charge for late returns', null, array['Ten cents a day', 'Never more than the tool is worth']),
	('private', 1, 0, 'feature', 'accepted', 1, 'owner', 'owner', '{fees}',
		'Print what somebody owes', null, null),
	('private', 1, 2, 'feature', 'accepted', 3, 'owner', 'member', '{catalogue}',
		'Photograph a tool at the desk', null, null),
	('private', 1, 3, 'feature', 'accepted', 2, 'owner', 'member', '{loans}',
		'Note damage when a tool comes back', null, null),
	('private', 1, 4, 'feature', 'accepted', 2, 'owner', 'owner', '{mail}',
		'Write to everybody who waits for a tool', null, null),
	('private', 0, 2, 'feature', 'accepted', 2, 'owner', 'member', '{search}',
		'Sort by distance to the nearest shelf', null, null),
	('private', 0, 3, 'feature', 'delivered', 2, 'owner', 'member', '{fees}',
		'Pay a fee by card', 'With the terminal that stands at the desk.',
		array['Pair the terminal', 'Store the receipt number', 'What if the line is down?']),
	('private', 0, 4, 'bug', 'delivered', null, 'member', 'owner', '{catalogue}',
		'Pictures are turned by a quarter', null, null),
	('private', 0, 4, 'feature', 'rejected', 1, 'owner', 'member', '{members}',
		'Greet members by their name', 'Not in capitals, please.', null),
	('private', 0, 5, 'bug', 'rejected', null, 'owner', 'member', '{fees}',
		'A fee of zero is printed', null, null),
	('private', 0, 5, 'feature', 'finished', 3, 'owner', 'owner', '{loans}',
		'Lend sets of tools in one go', null, null),
	('private', 0, 6, 'bug', 'finished', null, 'owner', 'member', '{mail}',
		'Mail to old addresses comes back', null, null),
	('private', 0, 6, 'feature', 'started', 2, 'owner', 'member', '{search,catalogue}',
		'Suggest a tool that does the same', null, array['Ask the people at the desk']),
	('private', 0, 6, 'bug', 'started', null, 'member', 'member', '{loans}',
		'The day due falls on a holiday', null, null),
	('private', 0, 7, 'chore', 'started', null, 'owner', 'owner', '{}',
		'Renew the certificate of the desk', null, null),
	('private', null, null, 'feature', 'unstarted', 3, 'owner', null, '{members}',
		'Invite a neighbour', null, null),
	('private', null, null, 'feature', 'unstarted', 2, 'owner', null, '{loans}',
		'Hand a tool on without coming to the desk', 'Both people confirm it by mail.', null),
	('private', null, null, 'bug', 'unstarted', null, 'member', 'member', '{search}',
		'Searching for nothing takes a minute', null, null),
	('private', null, null, 'release', 'unstarted', null, 'owner', null, '{}',
		'Open to the whole town', null, null),
	('private', null, null, 'chore', 'unstarted', null, 'member', null, '{}',
		'Throw away the card index', null, null),
	('private', null, null, 'feature', 'unstarted', 1, 'owner', null, '{fees}',
		'Forgive a fee', null, null),
	('private', null, null, 'feature', 'unstarted', null, 'owner', null, '{catalogue}',
		'Let members add tools of their own', null, null),
	('private', null, null, 'release', 'unscheduled', null, 'owner', null, '{}',
		'A second desk', null, null),
	('private', null, null, 'chore', 'unscheduled', null, 'owner', null, '{}',
		'Count the screws', null, null),
	('private', null, null, 'bug', 'unscheduled', null, 'member', null, '{catalogue}',
		'The ladder is listed twice', null, null),
	('private', null, null, 'feature', 'unscheduled', null, 'owner', null, '{members}',
		'Badges for careful borrowers', null, null),
	('private', null, null, 'feature', 'unscheduled', 3, 'owner', null, '{mail}',
		'A letter with new tools every month', null, null),
	('public', 3, 1, 'feature', 'accepted', 2, 'owner', 'owner', '{pages}',
		'Opening hours on the first page', null, null),
	('public', 3, 3, 'chore', 'accepted', null, 'owner', 'owner', '{}',
		'Register the name of the site', null, null),
	('public', 2, 2, 'feature', 'accepted', 3, 'owner', 'owner', '{pages}',
		'A map with the way to the desk', null, array['By bus', 'By bicycle']),
	('public', 1, 2, 'bug', 'accepted', null, 'owner', 'owner', '{phone}',
		'The map is too wide for a phone', null, null),
	('public', 1, 3, 'release', 'accepted', null, 'owner', null, '{}', 'The site is up', null, null),
	('public', 0, 4, 'feature', 'started', 1, 'owner', 'owner', '{phone}',
		'Call the desk by a tap', null, null),
	('public', 0, 5, 'feature', 'planned', 2, 'owner', 'owner', '{pages}',
		'Say how to become a member', null, null),
	('public', 0, 6, 'bug', 'planned', null, 'owner', null, '{pages}',
		'The hours of holidays are missing', null, null),
	('public', null, null, 'feature', 'unstarted', 3, 'owner', null, '{pages}',
		'Show the newest tools', null, null),
	('public', null, null, 'chore', 'unstarted', null, 'owner', null, '{}',
		'Make the pictures smaller', null, null),
	('public', null, null, 'release', 'unstarted', null, 'owner', null, '{}',
		'Ready for the summer', null, null),
	('public', null, null, 'feature', 'unscheduled', null, 'owner', null, '{}',
		'The site in three languages', null, null);
end;

-- Ticks off the tasks of a story, each by a command of its own.
create or replace function pg_temp.demo_tick(p_story bigint) returns void language plpgsql as $$
declare
	v bigint;
begin
	for v in select id from task where story_id = p_story order by position loop
		update task set complete = true where id = v;
		perform leave('task_update'), set_config('planwright.notes', '', true);
	end loop;
end $$;

-- Makes one story as it was at first: its owner, if any, came later.
create or replace function pg_temp.demo_story(p_type text, p_state text, p_estimate double precision,
	p_labels text[], p_name text, p_description text, p_tasks text[]) returns bigint
language plpgsql as $$
declare
	v bigint;
begin
	insert into story (project_id, name, description, story_type, current_state, estimate,
		requested_by_id, label_ids, deadline)
	values (project(), p_name, p_description, p_type, p_state, p_estimate, me(),
		labels_of(to_jsonb(p_labels)),
		case when p_type = 'release' then pg_temp.demo_begin() + interval '80 days' end)
	returning id into v;
	if p_tasks is not null then
		perform tasks_create(v, (select jsonb_agg(jsonb_build_object('description', t))
			from unnest(p_tasks) t));
	end if;
	return v;
end $$;

-- All events of one project, in the order of time.
create or replace function pg_temp.demo_events(p_which text, p_project bigint) returns void
language plpgsql as $$
declare
	e record;
	v_begin timestamptz := pg_temp.demo_begin();
	v_week timestamptz := v_begin + interval '49 days';
	v_ids bigint[] := '{}';
begin
	for e in
		with s as (select *, row_number() over () as n,
				pg_temp.demo_path(story_type, state) as path
			from pg_temp.demo_stories() where project = p_which),
		step as (select s.*, p.i, p.new_state,
				case when week > 0 then v_week + make_interval(weeks => -week,
						hours => (day * 24)::integer + 10 - 5 * (cardinality(path) - p.i::integer))
					else v_week + (now() - v_week) * (day / 7) * (p.i::double precision / cardinality(path))
				end as at
			from s cross join unnest(path) with ordinality p(new_state, i))
		select s.*, 0 as i, case when state = 'unscheduled' then state else 'unstarted' end as new_state,
			least(v_begin + make_interval(hours => 4 + 3 * n::integer),
				(select min(at) from step where step.n = s.n) - interval '3 days') as at
		from s
		union all select * from step
		order by at, n, i
	loop
		perform pg_temp.demo_at(e.at, pg_temp.demo_person(case when e.i = 0 or e.new_state in
			('accepted', 'rejected') then e.requester else coalesce(e.owner, e.requester) end), p_project);
		if e.i = 0 then
			v_ids[e.n] := pg_temp.demo_story(e.story_type, e.new_state, e.estimate, e.labels, e.name,
				e.description, e.tasks);
			perform leave('story_create');
		else
			if e.new_state = 'finished' then perform pg_temp.demo_tick(v_ids[e.n]); end if;
			update story set current_state = e.new_state,
				owner_ids = array_remove(array[pg_temp.demo_person(e.owner)], null)
			where id = v_ids[e.n];
			perform leave('story_update');
		end if;
	end loop;
end $$;

-- Projects -------------------------------------------------------------------

create or replace function pg_temp.demo_project(p_which text, p_account bigint, p_name text,
	p_description text, p_automatic boolean) returns bigint language plpgsql as $$
declare
	v bigint;
	v_role text;
begin
	perform pg_temp.demo_at(pg_temp.demo_begin() + interval '1 hour', pg_temp.demo_person('owner'), null);
	insert into project (account_id, name, description, public, automatic_planning, start_date)
	values (p_account, p_name, p_description, p_which = 'public', p_automatic,
		(pg_temp.demo_begin() at time zone 'UTC')::date)
	returning id into v;
	foreach v_role in array case p_which when 'private' then array['member', 'viewer']
		else '{}'::text[] end loop
		perform pg_temp.demo_at(pg_temp.demo_begin() + interval '2 hours', me(), v);
		insert into project_membership (project_id, person_id, role)
		values (v, pg_temp.demo_person(v_role), v_role);
		perform leave('project_membership_create');
	end loop;
	perform pg_temp.demo_events(p_which, v);
	return v;
end $$;

-- The account with its two projects, made when it is not there.
create or replace function pg_temp.demo_load(out account_id bigint, out project_id bigint,
	out public_project_id bigint) language plpgsql as $$
#variable_conflict use_column
declare
	v_owner bigint := pg_temp.demo_person('owner');
begin
	select m.account_id into account_id from account_membership m
		where m.person_id = v_owner and m.owner order by m.account_id limit 1;
	if found then
		select id into project_id from project p
			where p.account_id = demo_load.account_id and p.name = 'Tool library';
		select id into public_project_id from project p
			where p.account_id = demo_load.account_id and p.name = 'Tool library website';
		return;
	end if;
	perform pg_temp.demo_at(pg_temp.demo_begin(), v_owner, null);
	account_id := account_create('Demo', v_owner);
	project_id := pg_temp.demo_project('private', account_id, 'Tool library',
		'Neighbours lend each other ladders and drills.', true);
	public_project_id := pg_temp.demo_project('public', account_id, 'Tool library website',
		'What the town sees of the tool library. Planned by hand.', false);
	perform pg_temp.demo_at(null, null, null);
end $$;
