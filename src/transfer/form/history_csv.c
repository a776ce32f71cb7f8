#include "transfer/form/history_csv.h"

#include "transfer/read/cell.h"
#include "transfer/read/cell_date.h"
#include "transfer/read/csv_head.h"

enum { ID, TYPE, MESSAGE, PERFORMER, OCCURRED };

static const struct csv_column columns[] = {
	{ "ID", ID, false },
	{ "Type", TYPE, false },
	{ "Message", MESSAGE, false },
	{ "Performed By", PERFORMER, false },
	{ "Occurred At", OCCURRED, false },
};

struct history {
	struct intake *in;
	struct csv_read csv;
	struct csv_head head;
	struct cell_dates dates;
	struct record record;
	int64_t position;
	bool has_days;
};

static struct str text_of(const struct history *h, int role)
{
	return cell_text(csv_head_cell(&h->csv, h->head.first[role]));
}

static struct str filled(struct str text)
{
	return str_trim(text).n ? text : (struct str){ 0 };
}

static enum rc put_row(struct history *h, int64_t number, const struct record_when *when)
{
	struct str name = str_trim(text_of(h, PERFORMER));
	const struct record_person performer = record_named(name);
	struct record *r = &h->record;
	record_empty(r);
	if (number != NIL)
		record_int(r, "number", number);
	record_text(r, "type", filled(str_trim(text_of(h, TYPE))));
	record_text(r, "message", filled(text_of(h, MESSAGE)));
	if (name.n)
		record_person(r, "performed_by", &performer);
	else
		record_null(r, "performed_by");
	record_when(r, "occurred_at", when);
	record_int(r, "position", ++h->position);
	h->has_days = h->has_days || !when->has_time;
	return h->in->put(h->in, INTAKE_ACTIVITY, h->csv.at, r);
}

static enum rc take_row(struct history *h)
{
	struct record_when when;
	struct str id = str_trim(text_of(h, ID));
	if (csv_head_is_blank(&h->csv) || !csv_head_check(&h->head, &h->csv, h->in))
		return RC_OK;
	int64_t number = cell_id(id);
	if (id.n && number == NIL) {
		csv_head_say_lost(&h->head, &h->csv, h->in, NIL, "ID", "bad_id",
			"the ID of the row is not a number");
		return RC_OK;
	}
	if (cell_date_read(&h->dates, text_of(h, OCCURRED), &when) != CELL_DATE_READ) {
		csv_head_say_lost(&h->head, &h->csv, h->in, number, "Occurred At", "bad_date",
			"the row has no valid date");
		return RC_OK;
	}
	return put_row(h, number, &when);
}

static bool survey(struct history *h)
{
	struct intake_place at = h->csv.at;
	if (!csv_read_row(&h->csv)) {
		if (!h->csv.refused)
			intake_say(h->in, INTAKE_ERROR, at, NIL, NULL, "no_header",
				"the file is empty");
		return false;
	}
	csv_head_take(
		&h->head, &h->csv, INTAKE_ACTIVITY, columns, sizeof columns / sizeof *columns);
	for (int role = ID; role <= OCCURRED; role++)
		if (h->head.first[role] < 0) {
			intake_say(h->in, INTAKE_ERROR, h->csv.at, NIL, NULL, "no_header",
				"a table of history has a column named %s", columns[role].name);
			return false;
		}
	while (csv_read_row(&h->csv))
		if (csv_head_fits(&h->head, &h->csv)) {
			struct str when = text_of(h, OCCURRED);
			cell_date_survey(&h->dates, when, h->csv.at);
			cell_date_weigh(&h->dates, STR(""), when, h->in->today, h->csv.at);
		}
	return !h->csv.refused && cell_date_settle(&h->dates, h->in) && csv_read_again(&h->csv);
}

static enum rc take_rows(struct history *h)
{
	bool has_header = csv_read_row(&h->csv);
	while (has_header && csv_read_row(&h->csv)) {
		enum rc rc = take_row(h);
		if (rc)
			return rc;
	}
	if (h->has_days)
		intake_say(h->in, INTAKE_NOTE, (struct intake_place){ .file = h->csv.at.file }, NIL,
			NULL, "day_only", "the file has days without times");
	csv_head_say_unread(&h->head, h->in);
	return RC_OK;
}

enum rc history_csv_read(struct intake *in, int file, struct intake_bytes *bytes)
{
	struct history h = { .in = in };
	enum rc rc = RC_OK;
	csv_read_open(&h.csv, in, file, bytes);
	if (survey(&h))
		rc = take_rows(&h);
	csv_head_free(&h.head);
	csv_read_close(&h.csv);
	record_free(&h.record);
	return rc;
}
