-- By which a program sees that its secret is that of the database.
create table secret_check (
	id integer primary key default 1 check (id = 1),
	value bytea not null
);
