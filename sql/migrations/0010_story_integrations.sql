-- A story is linked to an integration of its own project; other ids that were
-- written before this was a rule name nothing.

select set_config('planwright.quiet', 'on', true);

update story s set integration_id = null where s.integration_id is not null
	and not exists (select from integration i
		where i.id = s.integration_id and i.project_id = s.project_id);

select set_config('planwright.quiet', '', true);
