-- What was imported goes with its project (save_project_gone): a key to it would be looked up
-- for each of hundreds of thousands of rows.
alter table import_item drop constraint import_item_project_id_fkey;

-- How long the list may be that waits to be merged into the index: short for requests
-- (src/db/db_connect.c), longer for an import, which merges it at its end.
alter index search_text_words reset (gin_pending_list_limit);
