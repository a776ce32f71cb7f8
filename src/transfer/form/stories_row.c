#include "transfer/form/stories_row.h"

#include "transfer/read/cell.h"

bool stories_row_has(const struct stories_row *s, enum stories_role role)
{
	return s->head.first[role] >= 0;
}

struct str stories_row_cell(const struct stories_row *s, int column)
{
	return cell_text(csv_head_cell(&s->csv, column));
}

struct str stories_row_text(const struct stories_row *s, enum stories_role role)
{
	return stories_row_cell(s, s->head.first[role]);
}

void stories_row_say(struct stories_row *s, enum intake_severity severity, int column,
	const char *code, const char *words)
{
	struct buf text = { 0 };
	buf_printf(&text, "%s: ", words);
	cell_quote(&text, csv_head_cell(&s->csv, column));
	const struct intake_remark remark = { .severity = severity,
		.at = s->csv.at,
		.id = s->id > 0 ? s->id : NIL,
		.column = s->head.names[column],
		.code = code,
		.message = buf_str(&text) };
	s->in->remark(s->in, &remark);
	buf_free(&text);
}

bool stories_row_is_name(void *arg, struct str name)
{
	struct stories_row *s = arg;
	return name_set_has(&s->names, name) || (s->in->is_name && s->in->is_name(s->in, name));
}

void stories_row_begin(struct stories_row *s)
{
	record_empty(&s->record);
}

enum rc stories_row_end(struct stories_row *s, enum intake_kind kind)
{
	return s->in->put(s->in, kind, s->csv.at, &s->record);
}

void stories_row_put_text(struct stories_row *s, const char *key, enum stories_role role)
{
	struct str text = stories_row_text(s, role);
	if (stories_row_has(s, role))
		record_text(&s->record, key, str_trim(text).n ? text : (struct str){ 0 });
}

void stories_row_put_date(struct stories_row *s, const char *key, enum stories_role role)
{
	struct record_when when;
	if (!stories_row_has(s, role))
		return;
	enum cell_date read = cell_date_read(&s->dates, stories_row_text(s, role), &when);
	if (read == CELL_DATE_READ)
		record_when(&s->record, key, &when);
	else
		record_null(&s->record, key);
	if (read == CELL_DATE_BAD)
		stories_row_say(s, INTAKE_LOST, s->head.first[role], "bad_date",
			"this is not a date, and counts as none");
}

void stories_row_put_person(struct stories_row *s, const char *key, struct str name)
{
	const struct record_person person = record_named(str_trim(name));
	if (str_trim(name).n)
		record_person(&s->record, key, &person);
	else
		record_null(&s->record, key);
}
