-- Memberships keep when their project was looked at: each page has room for new versions of its
-- rows, so that such an update touches no index.
alter table project_membership set (fillfactor = 80);
