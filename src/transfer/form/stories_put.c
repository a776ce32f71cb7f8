#include "transfer/form/stories_put.h"

#include <string.h>

#include "model/words.h"
#include "transfer/read/cell.h"
#include "transfer/form/stories_parts.h"

/* Owners --------------------------------------------------------------------------- */

/* Whether the list has only names: those of the file if `known`, else any of two words. */
static bool all_names(struct stories_row *s, struct str list, bool known)
{
	while (list.p) {
		struct str name = str_trim(str_cut(&list, ','));
		if (known ? !stories_row_is_name(s, name) : !name.n || !memchr(name.p, ' ', name.n))
			return false;
	}
	return true;
}

/*
 * Programs that merged several columns into one separated the names by commas, but names may
 * contain commas, too.
 */
static bool is_list(struct stories_row *s, struct str cell)
{
	int column = s->head.first[STORIES_OWNER];
	if (!cell.n || !memchr(cell.p, ',', cell.n) || csv_head_next(&s->head, column) >= 0)
		return false;
	if (s->in->is_name && s->in->is_name(s->in, str_trim(cell)))
		return false;
	return all_names(s, cell, true) || all_names(s, cell, false);
}

static void add_owner(struct stories_row *s, struct str name)
{
	const struct record_person owner = record_named(name);
	record_add_person(&s->record, &owner);
}

static void put_owner(struct stories_row *s, int column)
{
	struct str cell = str_trim(stories_row_cell(s, column));
	if (!cell.n)
		return;
	if (!is_list(s, cell)) {
		add_owner(s, cell);
		return;
	}
	while (cell.p)
		add_owner(s, str_trim(str_cut(&cell, ',')));
	stories_row_say(s, INTAKE_NOTE, column, "owners_parted", "several owners in one cell");
}

static void put_owners(struct stories_row *s)
{
	if (!stories_row_has(s, STORIES_OWNER))
		return;
	record_list(&s->record, "owners", RECORD_PEOPLE);
	for (int c = s->head.first[STORIES_OWNER]; c >= 0;
		c = csv_head_next_cell(&s->head, &s->csv, c))
		put_owner(s, c);
}

/* Cells ---------------------------------------------------------------------------- */

/* Puts a word of a table; null if the cell is blank or has another, which is remarked with what follows from it. */
static void put_word(struct stories_row *s, const char *key, enum stories_role role,
	const char *const *words, struct str cell, const char *remark)
{
	if (!stories_row_has(s, role))
		return;
	int word = cell_word(words, cell);
	record_text(&s->record, key, str_of(word == WORD_NONE ? NULL : words[word]));
	if (word == WORD_NONE && str_trim(cell).n)
		stories_row_say(s, INTAKE_LOST, s->head.first[role], "unknown_word", remark);
}

/* `p1 - High` is p1. */
static void put_priority(struct stories_row *s)
{
	struct str cell = str_trim(stories_row_text(s, STORIES_PRIORITY));
	put_word(s, "story_priority", STORIES_PRIORITY, words_story_priorities, str_cut(&cell, ' '),
		"an unknown priority, so the story has none");
}

static void put_estimate(struct stories_row *s)
{
	double estimate = 0;
	if (!stories_row_has(s, STORIES_ESTIMATE))
		return;
	enum cell_estimate read = cell_estimate(stories_row_text(s, STORIES_ESTIMATE), &estimate);
	if (read == CELL_ESTIMATE_READ)
		record_float(&s->record, "estimate", estimate);
	else
		record_null(&s->record, "estimate");
	if (read == CELL_ESTIMATE_BAD)
		stories_row_say(s, INTAKE_LOST, s->head.first[STORIES_ESTIMATE], "bad_estimate",
			"this is not an estimate, so the story has none");
}

/* Whether the name comes for the first time, in any case. */
static bool is_new(struct name_set *seen, struct str name)
{
	char *p = arena_alloc(seen->arena, name.n);
	for (size_t i = 0; i < name.n; i++)
		p[i] = (char)(name.p[i] >= 'A' && name.p[i] <= 'Z' ? name.p[i] | 32 : name.p[i]);
	const struct str folded = { p, name.n };
	if (name_set_has(seen, folded))
		return false;
	name_set_add(seen, folded);
	return true;
}

static void put_labels(struct stories_row *s)
{
	struct str rest = stories_row_text(s, STORIES_LABELS);
	struct name_set seen;
	if (!stories_row_has(s, STORIES_LABELS))
		return;
	name_set_init(&seen, &s->record.arena);
	record_list(&s->record, "labels", RECORD_NAMES);
	while (rest.p) {
		struct str name = str_trim(str_cut(&rest, ','));
		if (name.n && is_new(&seen, name))
			record_add_text(&s->record, name);
	}
	name_set_free(&seen);
}

/* The day in the first column of a role; NIL if there is none. */
static int64_t day_of(struct stories_row *s, enum stories_role role)
{
	struct record_when when;
	if (!stories_row_has(s, role))
		return NIL;
	enum cell_date read = cell_date_read(&s->dates, stories_row_text(s, role), &when);
	if (read == CELL_DATE_BAD)
		stories_row_say(s, INTAKE_LOST, s->head.first[role], "bad_date",
			"this is not a date, and counts as none");
	return read == CELL_DATE_READ ? when.day : NIL;
}

static void put_iteration(struct stories_row *s)
{
	struct str cell = stories_row_text(s, STORIES_ITERATION);
	if (!stories_row_has(s, STORIES_ITERATION))
		return;
	struct record_span span = { .number = cell_id(cell) };
	if (span.number == NIL) {
		record_null(&s->record, "iteration");
		if (str_trim(cell).n)
			stories_row_say(s, INTAKE_LOST, s->head.first[STORIES_ITERATION],
				"bad_iteration",
				"this is not an iteration's number, and counts as none");
		return;
	}
	span.first = day_of(s, STORIES_START);
	span.last = day_of(s, STORIES_END);
	record_span(&s->record, "iteration", &span);
}

/* Rows ----------------------------------------------------------------------------- */

static enum rc put_story(struct stories_row *s)
{
	stories_row_begin(s);
	record_int(&s->record, "id", s->id);
	stories_row_put_text(s, "name", STORIES_TITLE);
	stories_row_put_text(s, "description", STORIES_DESCRIPTION);
	put_word(s, "story_type", STORIES_TYPE, words_story_types,
		stories_row_text(s, STORIES_TYPE), "an unknown type, so the story is a feature");
	put_word(s, "current_state", STORIES_STATE, words_story_states,
		stories_row_text(s, STORIES_STATE),
		"an unknown state, so the story is unscheduled");
	put_estimate(s);
	put_priority(s);
	stories_row_put_date(s, "created_at", STORIES_CREATED);
	stories_row_put_date(s, "accepted_at", STORIES_ACCEPTED);
	stories_row_put_date(s, "deadline", STORIES_DEADLINE);
	if (stories_row_has(s, STORIES_REQUESTER))
		stories_row_put_person(s, "requested_by", stories_row_text(s, STORIES_REQUESTER));
	put_owners(s);
	put_labels(s);
	put_iteration(s);
	stories_row_put_text(s, "url", STORIES_URL);
	record_int(&s->record, "position", ++s->stories);
	return stories_row_end(s, INTAKE_STORY);
}

static void put_epic_label(struct stories_row *s)
{
	struct str rest = stories_row_text(s, STORIES_LABELS);
	if (!stories_row_has(s, STORIES_LABELS))
		return;
	struct str name = str_trim(str_cut(&rest, ','));
	record_text(&s->record, "label", name.n ? name : (struct str){ 0 });
	if (str_trim(rest).n)
		stories_row_say(s, INTAKE_LOST, s->head.first[STORIES_LABELS], "epic_labels",
			"an epic has one label, and this is the first");
}

/* Reports cells that epics do not have. */
static void say_not_of_epics(struct stories_row *s)
{
	static const enum stories_role roles[] = { STORIES_ITERATION, STORIES_START, STORIES_END,
		STORIES_ESTIMATE, STORIES_PRIORITY, STORIES_STATE, STORIES_ACCEPTED,
		STORIES_DEADLINE, STORIES_REQUESTER, STORIES_OWNER, STORIES_BLOCKER, STORIES_TASK,
		STORIES_REVIEW_TYPE, STORIES_REVIEWER };
	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
		for (int c = s->head.first[roles[i]]; c >= 0;
			c = csv_head_next_cell(&s->head, &s->csv, c))
			if (str_trim(stories_row_cell(s, c)).n)
				stories_row_say(s, INTAKE_LOST, c, "not_of_epics",
					"epics do not have this");
}

static enum rc put_epic(struct stories_row *s)
{
	stories_row_begin(s);
	record_int(&s->record, "id", s->id);
	stories_row_put_text(s, "name", STORIES_TITLE);
	put_epic_label(s);
	stories_row_put_text(s, "description", STORIES_DESCRIPTION);
	stories_row_put_date(s, "created_at", STORIES_CREATED);
	stories_row_put_text(s, "url", STORIES_URL);
	record_int(&s->record, "position", ++s->epics);
	say_not_of_epics(s);
	return stories_row_end(s, INTAKE_EPIC);
}

static bool ends_with(struct str s, struct str end)
{
	return s.n >= end.n && str_equal((struct str){ s.p + s.n - end.n, end.n }, end);
}

/* Reports an address like `…/story/show/185000001` or `…/stories/185000001` that does not have the row's id. */
static void check_url(struct stories_row *s)
{
	struct str url = str_trim(stories_row_text(s, STORIES_URL));
	char shown[64], listed[64];
	const long long id = (long long)s->id;
	const struct str forms[] = {
		str_print(shown, sizeof shown, "/%s/show/%lld", s->is_epic ? "epic" : "story", id),
		str_print(listed, sizeof listed, "/%s/%lld", s->is_epic ? "epics" : "stories", id)
	};
	if (url.n && !ends_with(url, forms[0]) && !ends_with(url, forms[1]))
		stories_row_say(s, INTAKE_NOTE, s->head.first[STORIES_URL], "url_differs",
			"the address does not match the row's Id");
}

/* Spreadsheets cut texts that are longer than this, counted in UTF-16. */
static void check_cut(struct stories_row *s)
{
	const size_t most = 32767;
	for (size_t c = 0; c < s->csv.n && c < s->head.n; c++) {
		struct str cell = s->csv.cells[c];
		size_t units = 0;
		if (cell.n < most)
			continue;
		for (size_t i = 0; i < cell.n; i++) {
			unsigned char byte = (unsigned char)cell.p[i];
			units += (byte & 0xc0) != 0x80;
			units += byte >= 0xf0;
		}
		if (units == most)
			intake_say(s->in, INTAKE_NOTE, s->csv.at, s->id > 0 ? s->id : NIL,
				s->head.names[c], "cut_cell",
				"a text of 32767 characters: a spreadsheet may have cut it");
	}
}

static bool lose(struct stories_row *s, int64_t id, const char *code, const char *why)
{
	csv_head_say_lost(&s->head, &s->csv, s->in, id, "Id", code, why);
	return false;
}

/* `1.2E+08` is what spreadsheets make of a large number. */
static bool is_rounded(struct str id)
{
	return id.p[0] >= '0' && id.p[0] <= '9' && memmem(id.p, id.n, "E+", 2);
}

/* Takes the row's id, or one below 0 if it has none. False if the row is lost. */
static bool take_id(struct stories_row *s)
{
	struct str id = str_trim(stories_row_text(s, STORIES_ID));
	if (!id.n && !str_trim(stories_row_text(s, STORIES_TITLE)).n)
		return lose(s, NIL, "no_id", "the row has neither Id nor title");
	if (!id.n) {
		s->id = -s->csv.at.line;
		stories_row_say(s, INTAKE_NOTE, s->head.first[STORIES_TITLE], "no_id",
			"the row has no Id and gets a new one");
		return true;
	}
	s->id = cell_id(id);
	if (s->id == NIL)
		return lose(s, NIL, "bad_id",
			is_rounded(id) ? "a spreadsheet rounded the Id of the row: "
					 "import the file as it was exported"
				       : "the Id of the row is not a number");
	return id_set_add(s->is_epic ? &s->epic_ids : &s->story_ids, s->id) ||
		lose(s, s->id, "repeated_id", "a row above has the same Id");
}

enum rc stories_put_row(struct stories_row *s)
{
	if (csv_head_is_blank(&s->csv) || !csv_head_check(&s->head, &s->csv, s->in))
		return RC_OK;
	s->is_epic = str_equal_nocase(str_trim(stories_row_text(s, STORIES_TYPE)), STR("epic"));
	if (!take_id(s))
		return RC_OK;
	check_cut(s);
	if (s->id > 0 && stories_row_has(s, STORIES_URL))
		check_url(s);
	enum rc rc = s->is_epic ? put_epic(s) : put_story(s);
	return rc ? rc : stories_parts_put(s);
}

void stories_put_survey(struct stories_row *s)
{
	static const enum stories_role people[] = { STORIES_REQUESTER, STORIES_OWNER,
		STORIES_REVIEWER };
	static const enum stories_role dates[] = { STORIES_START, STORIES_END, STORIES_CREATED,
		STORIES_ACCEPTED, STORIES_DEADLINE };
	if (!csv_head_fits(&s->head, &s->csv))
		return;
	for (size_t i = 0; i < sizeof dates / sizeof *dates; i++)
		cell_date_survey(&s->dates, stories_row_text(s, dates[i]), s->csv.at);
	cell_date_weigh(&s->dates, stories_row_text(s, STORIES_CREATED),
		stories_row_text(s, STORIES_ACCEPTED), s->in->today, s->csv.at);
	for (size_t i = 0; i < sizeof people / sizeof *people; i++)
		for (int c = s->head.first[people[i]]; c >= 0;
			c = csv_head_next_cell(&s->head, &s->csv, c)) {
			struct str cell = str_trim(stories_row_cell(s, c));
			if (people[i] != STORIES_OWNER || !cell.n || !memchr(cell.p, ',', cell.n) ||
				csv_head_next(&s->head, s->head.first[STORIES_OWNER]) >= 0)
				name_set_add(&s->names, cell);
		}
}
