-- Who is disabled signs in by no means: the sealed token stays, and what finds it is gone.
-- Who was removed keeps the row that their work names, without login and address.
alter table person
	add disabled_at timestamptz,
	add removed_at timestamptz,
	alter username drop not null,
	alter email drop not null,
	drop constraint person_check,
	add constraint person_check check (case when disabled_at is null
		then (token_mac is null) = (token_sealed is null) else token_mac is null end),
	add constraint person_gone check ((removed_at is null) = (email is not null)
		and (removed_at is null) = (username is not null)
		and (removed_at is null or disabled_at is not null));
