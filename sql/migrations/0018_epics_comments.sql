-- The workers decide on epics, and on changes of comments.

drop trigger if exists rules on epic;
drop trigger if exists note on epic;
drop trigger if exists epic_stays on label;
drop function if exists epic_rules();
drop function if exists epic_note();
drop function if exists label_of_epic_stays();
drop function if exists epic_rank(epic, json);
drop function if exists epic_between(bigint, bigint);
drop function if exists epic_spread(bigint, bigint);
drop function if exists neighbours(epic);
drop function if exists epic_goal(bigint, bigint);
drop function if exists epic_label(jsonb);

drop function if exists comment_drop(bigint, bigint, bigint);
drop function if exists comment_change(bigint, text, jsonb, jsonb, bigint[], bigint[], bigint[]);
drop function if exists comment_detach(bigint, bigint[], bigint[]);
drop function if exists attachment_removable(bigint, bigint, bigint, bigint);
drop function if exists comment_writable(bigint, bigint, bigint, boolean);
drop function if exists is_project_owner();
