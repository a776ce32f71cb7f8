-- The outbox of planwright-sender: which delivery or mail is due, and what became of it. A
-- webhook's deliveries are sent one after the other, each at least once.

-- The lock that a sender of the previous version holds while it sends to a webhook. Remove it along with what is in
-- sql/before.sql.
create or replace function delivery_lock(p_webhook bigint) returns bigint language sql immutable
return (1::bigint << 62) | p_webhook;

-- The time until the next attempt: 5 seconds, doubled with each attempt up to a day, plus or minus
-- a quarter, so that senders do not retry in step.
create or replace function send_delay(p_attempts integer) returns interval language sql volatile
return least(interval '1 day', interval '5 seconds' * (2 ^ least(p_attempts - 1, 20)))
	* (0.75 + random() / 2);

-- Takes the due delivery of the first webhook after p_after that no sender holds, and a lease on that webhook. p_share:
-- how many webhooks of a project all senders together may hold at a time; p_off: the error recorded for deliveries of a
-- webhook that is switched off. All null: none is due.
create or replace function delivery_take(p_after bigint, p_share bigint, p_off text, p_length interval,
	out delivery_id bigint, out webhook_id bigint, out project_id bigint, out version bigint,
	out url text, out secret text, out lease text) language plpgsql as $$
#variable_conflict use_column
declare
	v_hook bigint := p_after;
	v_full bigint[] := '{}';
	v_lease uuid;
	d delivery;
begin
	loop
		select x.webhook_id into v_hook from delivery x
		where x.webhook_id > v_hook and x.delivered_at is null and x.failed_at is null
		order by x.webhook_id limit 1;
		exit when not found;
		-- Its oldest delivery that has neither succeeded nor been given up.
		select x.* into d from delivery x where x.webhook_id = v_hook and x.delivered_at is null
			and x.failed_at is null order by x.id limit 1;
		continue when d.id is null or d.next_at > now() or d.project_id = any(v_full) or exists (
			select from lease l where l.what = 'webhook' and l.id = v_hook and l.until > now());
		-- Two senders counting at the same time would each find room for one more.
		if not pg_try_advisory_xact_lock((1::bigint << 58) | d.project_id) or p_share <= (
				select count(*) from lease l join webhook w on w.id = l.id
				where l.what = 'webhook' and l.until > now() and w.project_id = d.project_id) then
			v_full := v_full || d.project_id;
			continue;
		end if;
		continue when not pg_try_advisory_xact_lock(delivery_lock(v_hook));
		v_lease := lease_take('webhook', v_hook, p_length);
		continue when v_lease is null;
		-- Another sender may have sent it in the meantime, so check again.
		select x.* into d from delivery x where x.webhook_id = v_hook and x.delivered_at is null
			and x.failed_at is null order by x.id limit 1;
		select x.* into d from delivery x where x.id = d.id and x.delivered_at is null
			and x.failed_at is null and x.next_at <= now() for update skip locked;
		if found then
			update delivery x set attempts = x.attempts + 1 where x.id = d.id;
			select d.id, w.id, d.project_id, d.version, w.webhook_url, w.secret, v_lease
				into delivery_id, webhook_id, project_id, version, url, secret, lease
				from webhook w where w.id = v_hook and w.enabled;
			exit when found;
			perform deliveries_give_up(v_hook, p_off);
		end if;
		perform lease_end(v_lease);
	end loop;
end $$;

-- Gives up everything that waits for a webhook that is switched off.
create or replace function deliveries_give_up(p_webhook bigint, p_off text) returns void language sql as $$
	update delivery set failed_at = now(),
		last_error = coalesce(last_error, p_off)
	where webhook_id = p_webhook and delivered_at is null and failed_at is null;
$$;

-- The receiver accepted it; this is recorded whoever holds the lease by now. Only the holder knows that the receiver has
-- not failed since.
create or replace function delivery_done(p_webhook bigint, p_delivery bigint, p_status integer,
	p_lease uuid) returns void language plpgsql as $$
begin
	if lease_end(p_lease) then
		update webhook set failing_since = null where id = p_webhook and failing_since is not null;
	end if;
	update delivery set delivered_at = now(), failed_at = null, last_status = p_status,
		last_error = null
	where id = p_delivery and delivered_at is null;
end $$;

-- The receiver did not accept it: records the failure in the webhook, and the delivery is retried
-- later. After a day of failures, or at once if the receiver answers 410 (Standard Webhooks: send
-- no more), switches the webhook off, and returns true. p_status null: there was no answer. Without
-- the lease, nothing is recorded: another sender may have tried again in the meantime, and has
-- newer information.
create or replace function delivery_failed(p_webhook bigint, p_delivery bigint, p_status integer,
	p_error text, p_body text, p_off text, p_lease uuid) returns boolean language plpgsql as $$
declare
	w webhook;
	v_off boolean := false;
begin
	if not lease_end(p_lease) then return false; end if;
	update webhook set last_error_code = coalesce(p_status, 0),
		last_response_body = coalesce(p_body, p_error),
		failing_since = coalesce(failing_since, now())
	where id = p_webhook returning * into w;
	if found then
		v_off := w.enabled and (now() >= w.failing_since + interval '1 day'
			or coalesce(p_status = 410, false));
		update delivery set last_status = p_status, last_error = p_error,
			next_at = greatest(now(), least(now() + send_delay(attempts),
				w.failing_since + interval '1 day'))
		where id = p_delivery and delivered_at is null;
	end if;
	if v_off then
		update webhook set enabled = false where id = p_webhook;
		perform deliveries_give_up(p_webhook, p_off);
	end if;
	return v_off;
end $$;

-- There is nothing to send: its activity is gone.
create or replace function delivery_drop(p_delivery bigint, p_error text, p_lease uuid) returns void
language plpgsql as $$
begin
	update delivery set failed_at = now(), last_error = p_error
	where id = p_delivery;
	perform lease_end(p_lease);
end $$;


-- Mail ------------------------------------------------------------------------

-- Takes the mail that is due first: a row for each of the first 50 of its n_all notifications; no
-- row: none is due. The next attempt is scheduled before this one is made, so a sender that dies
-- delays the mail but loses nothing. Notifications for people who have left the project, do not
-- want mail about mentions or have never signed in are left out, and mail without any other is
-- dropped. Before its first attempt, a mail is withheld if the same person already caused p_a_day
-- others within a day.
create or replace function mail_take(p_a_day bigint, p_unwanted text, p_above text)
returns table (mail_id bigint, email text, message text, context text, project_name text,
	story_id bigint, story_name text, epic_id bigint, epic_name text, made_ms bigint, n_all bigint)
language plpgsql as $$
#variable_conflict use_column
declare
	m mail;
begin
	loop
		select x.* into m from mail x where x.next_at <= now() and x.delivered_at is null
			and x.failed_at is null order by x.next_at, x.id limit 1 for update skip locked;
		exit when not found;
		update mail x set attempts = x.attempts + 1,
			next_at = now() + interval '1 minute' + send_delay(x.attempts + 1)
		where x.id = m.id;
		if m.attempts = 0 and p_a_day <= (select count(*) from (
				select from mail x where x.performer_id = m.performer_id and not x.withheld
					and x.created_at >= m.created_at - interval '1 day'
					and (x.created_at, x.id) < (m.created_at, m.id)
				union all
				select from letter x where x.performer_id = m.performer_id and not x.withheld
					and x.created_at >= m.created_at - interval '1 day'
					and x.created_at < m.created_at
				limit p_a_day) y) then
			update mail x set failed_at = now(), withheld = true, last_error = p_above
			where x.id = m.id;
			continue;
		end if;
		return query select m.id, p.email, n.message, n.context, j.name, n.story_id, n.story_name,
				n.epic_id, n.epic_name, millis(m.created_at), count(*) over ()
			from notification n
			join person p on p.id = n.person_id join project j on j.id = n.project_id
			join project_membership s on s.project_id = j.id and s.person_id = p.id
			where n.id = any(m.notification_id || m.more_ids) and p.disabled_at is null
				and p.met_at is not null and (n.notification_type <> 'comment_with_mention'
					or s.will_receive_mention_notifications_or_emails)
			order by n.id limit 50;
		exit when found;
		update mail x set failed_at = now(), last_error = p_unwanted, performer_id = null
		where x.id = m.id;
	end loop;
end $$;
