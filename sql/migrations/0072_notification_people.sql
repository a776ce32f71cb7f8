-- Who asks is not known when a list is planned, so the planner takes everybody for the average person, whose few news it
-- reads and sorts. Of those who have many, that is all of them for one page: it shall expect many, and read by the order.
alter table notification alter column person_id set (n_distinct = 50);
analyze notification (person_id);
