-- A try is recorded before its password is compared, so that those that are sent at the same moment count for each other;
-- `pending` until that is done. Programs of the version before count it as one that was wrong.
alter table sign_in_failure add pending boolean not null default false;
