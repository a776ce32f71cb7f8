-- Functions that take more than before.
drop function if exists make_note_trigger(text, text[], text[], text);
drop function if exists move_words(jsonb);
