-- Only who knows a person's password is asked for a code, so wrong codes can be counted from all networks together: nobody
-- else can use them up. What programs of the version before record counts as a wrong password.
alter table sign_in_failure add is_code boolean not null default false;
