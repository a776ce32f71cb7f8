-- What follows from a command: its activity with the words that people read,
-- notifications, webhook deliveries and mail, all in the command's transaction.
-- Shapes: CONTRACT 6.1, 6.4 and the recorded examples.

-- The change of that kind among the noted ones; the first.
create or replace function change_of(p_changes jsonb, p_kind text) returns jsonb
language plpgsql immutable as $$
begin
	for i in 0 .. jsonb_array_length(p_changes) - 1 loop
		if p_changes->i->>'kind' = p_kind then return p_changes->i; end if;
	end loop;
	return null;
end $$;

-- n: the new values of the story or epic.
create or replace function move_words(p_noun text, n jsonb) returns text language plpgsql stable as $$
declare
	v_side text := case when n->>'after_id' is null then 'before' else 'after' end;
	v_id bigint := (n->>(v_side || '_id'))::bigint;
	v_name text := case p_noun when 'epic' then (select name from epic where id = v_id)
		else (select name from story where id = v_id) end;
begin
	return 'moved this ' || p_noun || coalesce(' ' || v_side || ' ''' || v_name || '''', '');
end $$;

-- Whether new values tell of another place and of nothing else.
create or replace function only_moved(n jsonb) returns boolean language plpgsql immutable as $$
begin
	return n ?| '{before_id,after_id}' and n - '{before_id,after_id,updated_at}'::text[] = '{}';
end $$;

-- A state change shows the state's verb, an estimate and a move their own, any
-- other change "edited" (CONTRACT 6.1).
create or replace function story_update_words(c jsonb, out highlight text, out tail text)
language plpgsql stable as $$
declare
	n jsonb := (c->'new_values') - 'updated_at';
	v_this text := ' this ' || coalesce(c->>'story_type', 'story');
begin
	highlight := coalesce(n->>'current_state', 'edited');
	if not n ? 'current_state' and n ? 'estimate' and n - 'estimate' = '{}' then
		highlight := 'estimated';
		v_this := v_this || case n->>'estimate' when '1' then ' as 1 point'
			else coalesce(' as ' || (n->>'estimate') || ' points', ' as unestimated') end;
	elsif only_moved(n) then
		highlight := 'moved';
		tail := move_words('story', n);
		return;
	end if;
	tail := highlight || v_this;
end $$;

create or replace function task_update_words(c jsonb, out highlight text, out tail text)
language plpgsql stable as $$
begin
	highlight := case when c->'new_values' ? 'description' then 'rewrote task:'
		when c->'new_values'->>'complete' = 'true' then 'completed task:'
		when c->'new_values' ? 'complete' then 'uncompleted task:'
		else 'moved task:' end;
	tail := highlight || ' "' || (select description from task where id = (c->>'id')::bigint) || '"';
end $$;

-- What the message says behind the performer's name, and the part of it that a
-- client highlights.
create or replace function activity_words(p_kind text, p_changes jsonb, p_stories bigint[],
	out highlight text, out tail text) language plpgsql stable as $$
declare
	v_noun text := regexp_replace(p_kind, '_[a-z]+$', '');
	v_verb text := substring(p_kind from '[a-z]+$');
	c jsonb := change_of(p_changes, v_noun);
	v_words record;
begin
	if p_kind = 'story_update' then
		v_words := story_update_words(c);
		highlight := v_words.highlight;
		tail := v_words.tail;
		return;
	elsif p_kind = 'task_update' then
		-- The last task that changed: the others made room for it.
		v_words := task_update_words((select x.item
			from jsonb_array_elements(p_changes) with ordinality x(item, n)
			where x.item->>'kind' = 'task' order by x.n desc limit 1));
		highlight := v_words.highlight;
		tail := v_words.tail;
		return;
	elsif p_kind like 'story_move%' then
		highlight := 'moved';
		tail := case p_kind when 'story_move' then move_words('story', c->'new_values')
			when 'story_move_from_project' then 'moved this story to another project'
			else 'moved this story from another project' end;
		return;
	end if;
	highlight := case v_verb when 'create' then 'added' when 'delete' then 'deleted'
		when 'move' then 'moved' else 'edited' end;
	tail := highlight || ' this ' || replace(v_noun, '_', ' ');
	if p_kind = 'story_delete' and cardinality(p_stories) > 1 then
		tail := highlight || ' ' || cardinality(p_stories) || ' stories';
	elsif v_noun = 'story' then
		tail := highlight || ' this ' || coalesce(c->>'story_type', 'story');
	elsif p_kind in ('comment_create', 'task_create') then
		highlight := 'added ' || v_noun || ':';
		tail := highlight || ' "' || coalesce(c->'new_values'->>'text',
			c->'new_values'->>'description', '') || '"';
	elsif p_kind = 'label_create' then
		highlight := 'created';
		tail := 'created labels: "' || (c->>'name') || '"';
	elsif p_kind = 'epic_update' and only_moved(c->'new_values') then
		highlight := 'moved';
		tail := move_words('epic', c->'new_values');
	elsif v_noun = 'label' then
		tail := highlight || ' label: "' || (c->>'name') || '"';
	end if;
	tail := coalesce(tail, highlight);
end $$;

-- How an activity names what it is about.
create or replace function subject_of(c jsonb) returns jsonb language sql stable
return jsonb_strip_nulls(jsonb_build_object('kind', c->'kind', 'id', c->'id', 'name', c->'name',
	'story_type', c->'story_type', 'url', case when c->>'kind' in ('story', 'epic') then
	current_setting('planwright.base_url', true) || '/' || (c->>'kind') || '/show/' || (c->>'id') end));

-- What an activity is about: the stories that changed, or the epics or labels of
-- the kind; else the project. A change of a story is about it alone, not about those
-- that it no longer blocks.
create or replace function activity_subjects(p_kind text, p_subjects jsonb) returns jsonb
language plpgsql stable as $$
declare
	v jsonb := case when p_kind like 'label%' then p_subjects->'label'
		when p_kind like 'epic%' then p_subjects->'epic'
		when p_kind in ('story_update', 'story_move') and p_subjects ? 'story' then
			jsonb_build_array(p_subjects->'story'->0)
		else coalesce(p_subjects->'story', p_subjects->'epic') end;
begin
	-- A statement of its own: inside of coalesce it would be planned for each call.
	if v is null then
		select jsonb_build_array(jsonb_build_object('kind', 'project', 'id', id, 'name', name))
			into v from project where id = project();
	end if;
	return v;
end $$;

-- What hung on a deleted story or epic goes with it untold.
create or replace function without_parts(p_changes jsonb, p_noun text) returns jsonb
language plpgsql immutable as $$
begin
	return (select coalesce(jsonb_agg(c.item order by c.n), '[]')
		from jsonb_array_elements(p_changes) with ordinality c(item, n)
		where c.item->>'kind' = p_noun or c.item->>'change_type' <> 'delete');
end $$;

-- A command may change a story or an epic more than once. Its activity tells one change of
-- each: with the old values that were there before the first, and the new ones of the last.
create or replace function changes_merged(p_changes jsonb) returns jsonb
language plpgsql immutable as $$
declare
	v_merged jsonb := '{}'; -- by kind and id
	v_key text;
	v_first jsonb;
	c jsonb;
begin
	for c in select x from jsonb_array_elements(p_changes) x where x->>'kind' in ('story', 'epic') loop
		v_key := (c->>'kind') || ' ' || (c->>'id');
		v_first := v_merged->v_key;
		if v_first ? 'new_values' and c ? 'new_values' then
			c := v_first || jsonb_build_object('new_values',
					v_first->'new_values' || (c->'new_values'))
				|| case when v_first ? 'original_values' then jsonb_build_object('original_values',
					(c->'original_values') || (v_first->'original_values')) else '{}' end;
		end if;
		v_merged := v_merged || jsonb_build_object(v_key, c);
	end loop;
	return (select jsonb_agg(coalesce(v_merged->x.key, x.item) order by x.n)
		from (select e.item, e.n, e.key, row_number() over (partition by e.key order by e.n) as nth
			from (select item, n, (item->>'kind') || ' ' || (item->>'id') as key
				from jsonb_array_elements(p_changes) with ordinality i(item, n)) e) x
		where x.nth = 1 or not v_merged ? x.key);
end $$;

-- Ends a successful command: version + 1 and its activity, whose kind is the
-- route's; an update of a story or an epic that only changes the place is a move. Then whom it
-- concerns is told. Returns the new version.
create or replace function leave(p_kind text) returns bigint language plpgsql as $$
declare
	v_changes jsonb := noted();
	v_kind text := p_kind;
	v_subjects jsonb := '{}';
	v_stories bigint[] := '{}';
	v_epics bigint[] := '{}';
	v_words record;
	v_project record;
	v_id bigint;
	v_again boolean := false;
	v_noun text;
	c jsonb;
	v_set text;
begin
	if p_kind in ('story_delete', 'epic_delete') then
		v_changes := without_parts(v_changes, split_part(p_kind, '_', 1));
	end if;
	for i in 0 .. jsonb_array_length(v_changes) - 1 loop
		c := v_changes->i;
		v_noun := c->>'kind';
		-- Labels are only told among the changes, but in activities of their own.
		if v_noun not in ('story', 'epic') and (v_noun <> 'label' or p_kind not like 'label%') then
			continue;
		end if;
		v_id := (c->>'id')::bigint;
		if v_id = any (case v_noun when 'story' then v_stories when 'epic' then v_epics end) then
			v_again := true;
			continue;
		end if;
		v_subjects := jsonb_set(v_subjects, array[v_noun],
			coalesce(v_subjects->v_noun, '[]') || subject_of(c));
		if v_noun = 'story' then v_stories := v_stories || v_id;
		elsif v_noun = 'epic' then v_epics := v_epics || v_id;
		end if;
	end loop;
	v_words := activity_words(p_kind, v_changes, v_stories);
	if p_kind in ('story_update', 'epic_update') and v_words.highlight = 'moved' then
		v_kind := replace(p_kind, 'update', 'move');
	end if;
	if v_again then v_changes := changes_merged(v_changes); end if;
	-- One statement for all that is asked here: each costs more than what it does.
	update project p set version = p.version + 1,
		story_counts = sum_counts(p.story_counts, noted_counts())
		where p.id = project()
		returning p.version, (select a.name from person a where a.id = me()) as performer,
			exists (select from webhook w where w.project_id = p.id and w.enabled) as has_webhooks
		into v_project;
	insert into activity (project_id, version, kind, person_id, changes, highlight, message,
		primary_resources, secondary_resources, story_ids, epic_ids)
	values (project(), v_project.version, v_kind || '_activity', me(), v_changes, v_words.highlight,
		coalesce(v_project.performer || ' ', '') || v_words.tail,
		activity_subjects(p_kind, v_subjects),
		case when v_kind not like 'label%' and v_kind <> 'story_delete' then '[]'::jsonb end,
		v_stories, v_epics);
	if v_project.performer is not null then
		perform notify_people(v_changes, v_project.performer);
	end if;
	if v_project.has_webhooks then
		insert into delivery (webhook_id, project_id, version)
		select w.id, w.project_id, v_project.version from webhook w
		where w.project_id = project() and w.enabled;
	end if;
	v_set := set_config('planwright.notes', '', true);
	v_set := set_config('planwright.counts', '', true);
	return v_project.version;
end $$;

-- Notifications --------------------------------------------------------------

-- People named in a text as @username.
create or replace function mentioned(p_text text) returns bigint[] language sql stable
return array(select distinct p.id
	from regexp_matches(p_text, '(?:^|[^[:alnum:]_.@-])@([[:alnum:]_.-]*[[:alnum:]_])', 'g') x
	join person p on lower(p.username) = lower(x[1]));

-- Those of them whom the text of a change did not name before.
create or replace function newly_mentioned(c jsonb, p_text text) returns bigint[]
language plpgsql stable as $$
begin
	return array(select unnest(mentioned(c->'new_values'->>p_text))
		except select unnest(mentioned(c->'original_values'->>p_text)));
end $$;

-- Whom the events of a story concern: its owners and its requester as long as they
-- are that, and its followers: who asked, and who commented.
create or replace function story_followers(p_story bigint) returns bigint[] language plpgsql stable as $$
begin
	return (select s.owner_ids || s.follower_ids || s.requested_by_id from story s
		where s.id = p_story);
end $$;

create or replace function epic_followers(p_epic bigint) returns bigint[] language plpgsql stable as $$
begin
	return (select e.follower_ids from epic e where e.id = p_epic);
end $$;

-- Something to tell people, as an array of one for tell().
create or replace function news(p_people bigint[], p_type text, p_action text, p_message text,
	p_context text, p_story bigint, p_epic bigint, p_comment bigint, p_attachments integer)
returns jsonb language sql stable
return jsonb_build_array(jsonb_build_object('people', p_people, 'type', p_type, 'action', p_action,
	'message', p_message, 'context', p_context, 'story', p_story, 'epic', p_epic,
	'comment', p_comment, 'attachments', p_attachments));

-- One notification of each of the news to each of its people who can see the project, other
-- than the performer. Times are unique for a person and rise in the order of commits: the
-- person's row is locked. All that a command tells is told here at once, so that people are
-- locked in the order of their ids, or commands of two projects would wait for each other.
create or replace function tell(p_news jsonb) returns void language plpgsql as $$
declare
	v record;
	v_at timestamptz;
	v_id bigint;
begin
	for v in select p.id as person, x.* from jsonb_array_elements(p_news) with ordinality e(news, n)
		cross join lateral jsonb_to_record(e.news) x(people bigint[], type text, action text,
			message text, context text, story bigint, epic bigint, comment bigint, attachments integer)
		join person p on p.id = any(x.people)
		join project_membership m on m.person_id = p.id and m.project_id = project()
		where p.id is distinct from me() and p.receives_in_app_notifications
		order by p.id, e.n for no key update of p loop
		update person set notified_at = greatest(date_trunc('milliseconds', clock()),
			notified_at + interval '1 millisecond')
		where id = v.person returning notified_at into v_at;
		insert into notification (person_id, project_id, performer_id, message, context,
			notification_type, action, new_attachment_count, story_id, story_name, epic_id,
			epic_name, comment_id, created_at, updated_at)
		values (v.person, project(), me(), v.message, v.context, v.type, v.action, v.attachments,
			v.story, (select name from story where id = v.story), v.epic,
			(select name from epic where id = v.epic), v.comment, v_at, v_at)
		returning id into v_id;
		if v.action = 'ownership' or v.type = 'comment_with_mention' then
			insert into mail (notification_id) select v_id
			where current_setting('planwright.mail', true) = 'on';
		end if;
	end loop;
end $$;

-- New owners, and the verdicts and handovers that others wait for.
create or replace function news_of_story(c jsonb, p_performer text) returns jsonb
language plpgsql as $$
declare
	v_news jsonb := '[]';
	v_story bigint := (c->>'id')::bigint;
	v_state text := c->'new_values'->>'current_state';
	v_new bigint[] := array(select x::bigint
		from jsonb_array_elements_text(coalesce(c->'new_values'->'owner_ids', '[]')) x
		except select x::bigint
		from jsonb_array_elements_text(coalesce(c->'original_values'->'owner_ids', '[]')) x);
begin
	if cardinality(v_new) > 0 then
		v_news := v_news || news(v_new, 'story', 'ownership',
			p_performer || ' has made you an owner of this story', null, v_story, null, null, null);
	end if;
	if c->>'change_type' = 'update' and v_state in ('rejected', 'accepted', 'delivered') then
		v_news := v_news || news(story_followers(v_story), 'story', case v_state
			when 'rejected' then 'rejection' when 'accepted' then 'acceptance' else 'delivery' end,
			p_performer || ' has ' || v_state || ' this story', null, v_story, null, null, null);
	end if;
	return v_news;
end $$;

-- A comment: those whom it mentions, then the others whom the story concerns.
create or replace function news_of_comment(p_comment bigint, p_performer text) returns jsonb
language plpgsql as $$
declare
	v comment;
	v_mentioned bigint[];
	v_rest bigint[];
	v_attachments integer;
begin
	select * into v from comment where id = p_comment;
	v_mentioned := mentioned(v.text);
	v_attachments := cardinality(v.file_attachment_ids) + cardinality(v.google_attachment_ids);
	v_rest := array(select unnest(coalesce(story_followers(v.story_id), epic_followers(v.epic_id)))
		except select unnest(v_mentioned));
	return news(v_mentioned, 'comment_with_mention', 'create',
		'You were mentioned by ' || p_performer, v.text, v.story_id, v.epic_id, v.id, v_attachments)
		|| news(v_rest, 'comment', 'create', p_performer || ' commented on '
		|| case when v.story_id is null then 'an epic' else 'a story' end || ' you follow',
		v.text, v.story_id, v.epic_id, v.id, v_attachments);
end $$;

-- A comment, or the description of a story or an epic, that names people since it was edited;
-- a description also when it is new.
create or replace function news_of_mention(c jsonb, p_performer text) returns jsonb
language plpgsql as $$
declare
	v_id bigint := (c->>'id')::bigint;
	v_kind text := c->>'kind';
	v_text text := case v_kind when 'comment' then 'text' else 'description' end;
	v_people bigint[] := newly_mentioned(c, v_text);
	v comment;
begin
	if v_people = '{}' then return '[]'; end if;
	if v_kind = 'comment' then
		select * into v from comment where id = v_id;
		v_kind := 'comment_with_mention';
	elsif v_kind = 'story' then
		v.story_id := v_id;
	else
		v.epic_id := v_id;
	end if;
	return news(v_people, v_kind, 'mention', 'You were mentioned by ' || p_performer,
		c->'new_values'->>v_text, v.story_id, v.epic_id, v.id,
		cardinality(v.file_attachment_ids) + cardinality(v.google_attachment_ids));
end $$;

create or replace function news_of_blocker(p_blocker bigint, p_action text, p_performer text)
returns jsonb language plpgsql as $$
declare
	v blocker;
begin
	select * into v from blocker where id = p_blocker;
	if not found then return '[]'; end if;
	return news(story_followers(v.story_id), 'blocker', p_action, p_performer || ' has '
		|| case p_action when 'create' then 'added a blocker to' else 'resolved a blocker of' end
		|| ' this story', v.description, v.story_id, null, null, null);
end $$;

-- Whom the changes of a command concern.
create or replace function notify_people(p_changes jsonb, p_performer text) returns void
language plpgsql as $$
declare
	v_news jsonb := '[]';
	c jsonb;
	v_new jsonb;
	v_created boolean;
begin
	for i in 0 .. jsonb_array_length(p_changes) - 1 loop
		c := p_changes->i;
		v_new := c->'new_values';
		v_created := c->>'change_type' = 'create';
		case c->>'kind'
		when 'story' then
			if v_new ? 'owner_ids' or v_new->>'current_state' in ('rejected', 'accepted', 'delivered')
			then
				v_news := v_news || news_of_story(c, p_performer);
			end if;
			if v_new ? 'description' then
				v_news := v_news || news_of_mention(c, p_performer);
			end if;
		when 'comment' then
			if v_created then
				v_news := v_news || news_of_comment((c->>'id')::bigint, p_performer);
			elsif v_new ? 'text' then
				v_news := v_news || news_of_mention(c, p_performer);
			end if;
		when 'blocker' then
			if v_created or v_new->>'resolved' = 'true' then
				v_news := v_news || news_of_blocker((c->>'id')::bigint,
					case when v_created then 'create' else 'resolve' end, p_performer);
			end if;
		when 'epic' then
			if v_created then
				v_news := v_news || news(epic_followers((c->>'id')::bigint), 'epic', 'create',
					p_performer || ' has added this epic', null, null, (c->>'id')::bigint, null, null);
			end if;
			if v_new ? 'description' then
				v_news := v_news || news_of_mention(c, p_performer);
			end if;
		else null;
		end case;
	end loop;
	if v_news <> '[]' then perform tell(v_news); end if;
end $$;
