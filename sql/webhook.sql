-- What a webhook may be (CONTRACT 1.4); what is sent to it: sender.sql.

-- http and https with a host, which may be an IPv6 address, and perhaps a port; no login.
create or replace function is_web_address(p_url text) returns boolean language plpgsql immutable as $$
declare
	v text[] := regexp_match(p_url, '^https?://(?:\[([0-9a-f:.]+)\]|[a-z0-9._\u0080-\U0010ffff-]+)'
		'(?::(\d{1,5}))?(?:[/?#]\S*)?$', 'i');
begin
	return v is not null and coalesce(v[2]::integer between 1 and 65535, true)
		and coalesce(family(v[1]::inet) = 6, true);
exception when invalid_text_representation then
	return false;
end $$;

-- http is for receivers that the settings file allows (planwright.conf(5), webhook_http).
create or replace function webhook_rules() returns trigger language plpgsql as $$
declare
	v_requirement text := case
		when tg_op = 'UPDATE' and new.webhook_url = old.webhook_url then null
		when coalesce(btrim(new.webhook_url), '') = '' then 'can''t be blank, Webhook must be a valid URL.'
		when not is_web_address(new.webhook_url) then 'Webhook must be a valid URL.'
		when new.webhook_url !~* '^https://'
			and current_setting('planwright.webhook_http', true) is distinct from 'on' then
			'Webhook must use https.' end;
begin
	if v_requirement is not null then
		perform refuse('PW400', json_build_object(
			'general_problem', 'One or more consistency checks failed on the supplied '
				'WebhookActivityChannel.', 'requirement', v_requirement));
	end if;
	if tg_op = 'UPDATE' then
		new.updated_at := clock();
		-- A webhook that is switched on again starts from now.
		if new.enabled and not old.enabled then
			new.last_error_code := null;
			new.last_response_body := null;
		end if;
	end if;
	return new;
end $$;
drop trigger if exists rules on webhook;
create trigger rules before insert or update of webhook_url, webhook_version, enabled, secret on webhook
	for each row execute function webhook_rules();
