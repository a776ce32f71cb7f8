-- Accounts that ended a token of all projects for themselves: it reaches whatever is not theirs.
alter table token add not_account_ids bigint[] check (not_account_ids <> '{}'),
	add constraint token_reach check (project_ids is null or not_account_ids is null);
