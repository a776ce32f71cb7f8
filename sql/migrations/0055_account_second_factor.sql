-- off, optional or required, for the people of the account; absent: as the setting of the server says.
alter table account add second_factor text;
