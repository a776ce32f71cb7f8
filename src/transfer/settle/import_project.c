#include "transfer/settle/import_project.h"

#include <string.h>

#include "domain/arrival.h"
#include "domain/project.h"
#include "lib/when.h"
#include "model/model.h"
#include "model/words.h"
#include "store/raise_ids.h"
#include "store/save.h"
#include "transfer/settle/import_calendar.h"
#include "transfer/settle/import_scale.h"

static struct str copy(struct import_context *w, const struct rows *rows, const char *column)
{
	int c = db_column(rows, column);
	return db_is_null(rows, 0, c) ? (struct str){ 0 }
				      : arena_str(w->arena, db_get_text(rows, 0, c));
}

static int64_t number(const struct rows *rows, const char *column)
{
	int c = db_column(rows, column);
	return db_is_null(rows, 0, c) ? NIL : db_get_int(rows, 0, c);
}

static bool flag(const struct rows *rows, const char *column)
{
	int c = db_column(rows, column);
	return !db_is_null(rows, 0, c) && db_get_bool(rows, 0, c);
}

/* Before ------------------------------------------------------------------------------- */

static enum rc find_project(struct import_context *w)
{
	struct rows *rows;
	struct db_param param = db_int(w->arena, w->options->project);
	enum rc rc = context_rows(w, STMT_IMPORT_PROJECT, 1, &param, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0) {
		context_refuse(w, "no_project", "there is no project %lld: name an existing one",
			(long long)w->options->project);
		return RC_OK;
	}
	w->project = number(rows, "id");
	w->account = number(rows, "account_id");
	w->version = number(rows, "version");
	w->name = copy(w, rows, "name");
	w->zone = copy(w, rows, "time_zone");
	return RC_OK;
}

static enum rc find_account(struct import_context *w)
{
	struct rows *rows;
	struct db_param param = db_int(w->arena, w->account);
	enum rc rc = context_rows(w, STMT_IMPORT_ACCOUNT, 1, &param, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0 || number(rows, "person_id") == NIL) {
		context_refuse(w, "no_account",
			"there is no account %lld with an owner: name an existing one",
			(long long)w->account);
		return RC_OK;
	}
	w->performer = number(rows, "person_id");
	w->performer_name = copy(w, rows, "name");
	if (w->is_new)
		w->zone = copy(w, rows, "time_zone");
	return RC_OK;
}

static enum rc find_performer(struct import_context *w)
{
	struct rows *rows;
	struct db_param param = db_int(w->arena, w->options->performer);
	if (w->options->performer == NIL)
		return RC_OK;
	enum rc rc = context_rows(w, STMT_IMPORT_PERFORMER, 1, &param, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0) {
		context_refuse(w, "no_performer", "there is no person %lld",
			(long long)w->options->performer);
		return RC_OK;
	}
	w->performer = number(rows, "id");
	w->performer_name = copy(w, rows, "name");
	return RC_OK;
}

static enum rc check_name(struct import_context *w)
{
	struct rows *rows;
	struct str name = str_trim(str_of(w->options->new_project));
	const struct db_param params[] = { db_int(w->arena, w->account), db_text(w->arena, name) };
	w->name = name;
	if (str_is_blank(name) || str_count_chars(name) > 50) {
		context_refuse(w, "bad_name",
			"the name of a project must have 1 to 50 characters: give another one");
		return RC_OK;
	}
	enum rc rc = context_rows(w, STMT_IMPORT_PROJECT_NAMED, 2, params, &rows);
	if (!rc && db_count(rows))
		context_refuse(w, "name_taken",
			"the account already has a project %.*s: give another name, or --project "
			"%lld to add to that one",
			(int)name.n, name.p, (long long)db_get_int(rows, 0, 0));
	return rc;
}

static int week_day_of(const char *z)
{
	for (int i = 0; words_week_days[i]; i++)
		if (str_equal_nocase(str_of(z), str_of(words_week_days[i])))
			return i;
	return WORD_NONE;
}

static void check_options(struct import_context *w)
{
	const struct import_options *o = w->options;
	int32_t day;
	if (o->iteration_length != NIL && (o->iteration_length < 1 || o->iteration_length > 4))
		context_refuse(w, "bad_option",
			"an iteration must have 1 to 4 weeks: correct --iteration-length");
	if (o->week_start_day && week_day_of(o->week_start_day) == WORD_NONE)
		context_refuse(w, "bad_option", "%s is not a weekday: correct --week-start-day",
			o->week_start_day);
	if (o->start_date && !when_parse_date(str_of(o->start_date), &day))
		context_refuse(w, "bad_option",
			"%s is not a date like 2023-10-02: correct --start-date", o->start_date);
	if (o->point_scale &&
		(strlen(o->point_scale) > 255 || !*o->point_scale ||
			strspn(o->point_scale, "0123456789.,") != strlen(o->point_scale)))
		context_refuse(w, "bad_option",
			"%s is not a point scale like 0,1,2,3: correct --point-scale",
			o->point_scale);
}

static enum rc look_at_clock(struct import_context *w)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_TODAY, 0, NULL, &rows);
	if (!rc)
		w->today = db_get_date(rows, 0, db_column(rows, "today"));
	if (!rc)
		w->now = db_get_time(rows, 0, db_column(rows, "now"));
	return rc;
}

enum rc import_project_open(struct import_context *w)
{
	enum rc rc = look_at_clock(w);
	w->is_new = w->options->project == NIL;
	w->account = w->options->account;
	check_options(w);
	if (!rc && !w->is_new)
		rc = find_project(w);
	if (!rc && !context_is_refused(w))
		rc = find_account(w);
	if (!rc && !context_is_refused(w))
		rc = find_performer(w);
	return rc || !w->is_new || context_is_refused(w) ? rc : check_name(w);
}

/* A new project --------------------------------------------------------------------------- */

/* What the files' rows say, and what follows from it. */
struct new_settings {
	struct wish *record; /* what the files say about the project */
	int64_t id, version; /* in the files; NIL: they do not say */
	struct arrival_facts facts;
	bool has_review_types, has_overrides;
	struct calendar calendar;
};

static enum rc load_record(struct import_context *w, struct new_settings *s)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_SETTINGS, 0, NULL, &rows);
	if (rc)
		return rc;
	s->record = wish_of_row(w->arena, w->db, &res_project, rows);
	s->id = db_count(rows) ? number(rows, "id") : NIL;
	s->version = db_count(rows) ? number(rows, "version") : NIL;
	w->is_whole = db_count(rows) && flag(rows, "whole");
	return RC_OK;
}

static enum rc load_facts(struct import_context *w, struct new_settings *s)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_STAGED_FACTS, 0, NULL, &rows);
	if (rc)
		return rc;
	s->facts.has_planned = flag(rows, "has_planned");
	s->facts.estimates_all = flag(rows, "estimates_all");
	s->facts.has_priority = flag(rows, "has_priority");
	s->has_review_types = flag(rows, "has_review_types");
	s->has_overrides = flag(rows, "has_overrides");
	return RC_OK;
}

static enum rc load_scale(struct import_context *w, struct new_settings *s)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_ESTIMATES, 0, NULL, &rows);
	if (rc)
		return rc;
	size_t n = (size_t)db_count(rows);
	double *values = arena_array(w->arena, n + 1, sizeof *values);
	for (size_t i = 0; i < n; i++)
		values[i] = db_get_float(rows, (int)i, 0);
	s->facts.point_scale = import_scale_of(w->arena, values, n);
	if (n > IMPORT_SCALE_MAX && !w->options->point_scale)
		report_say(w->report, INTAKE_CHANGED, NIL, "Estimate", "many_estimates",
			"a point scale can have at most %d values, and there are %zu: give "
			"another with --point-scale",
			IMPORT_SCALE_MAX, n);
	return RC_OK;
}

static enum rc load_calendar(struct import_context *w, struct new_settings *s)
{
	enum rc rc = import_calendar_read(w, &s->calendar);
	if (rc)
		return rc;
	struct arrival_facts *f = &s->facts;
	f->iteration_length = s->calendar.length ? s->calendar.length : NIL;
	f->start_date = s->calendar.length ? s->calendar.start : NIL;
	f->week_start_day = f->start_date == NIL ? WORD_NONE : when_weekday((int32_t)f->start_date);
	return RC_OK;
}

static enum rc choose_zone(struct import_context *w, const struct new_settings *s)
{
	const struct project *record = s->record->object;
	struct rows *rows;
	struct str zone = w->options->time_zone ? str_of(w->options->time_zone)
		: record->time_zone.p           ? record->time_zone
						: w->zone;
	struct db_param param = db_text(w->arena, zone);
	enum rc rc = context_rows(w, STMT_IMPORT_ZONE_EXISTS, 1, &param, &rows);
	if (!rc && (!when_is_zone_name(zone) || !db_get_bool(rows, 0, 0)))
		context_refuse(w, "bad_zone",
			"%.*s is not a time zone of the tz database: give --time-zone", (int)zone.n,
			zone.p);
	w->zone = arena_str(w->arena, zone);
	return rc;
}

static void tell(struct import_context *w, const char *what, struct str value, const char *option)
{
	report_say(w->report, INTAKE_NOTE, NIL, what, "setting",
		"%s is %.*s; to change it, give "
		"%s",
		what, (int)value.n, value.p, option);
}

static void tell_settings(struct import_context *w, const struct project *n)
{
	tell(w, "time_zone", n->time_zone, "--time-zone");
	tell(w, "iteration_length", arena_printf(w->arena, "%lld", (long long)n->iteration_length),
		"--iteration-length");
	tell(w, "week_start_day", str_of(words_week_days[n->week_start_day]), "--week-start-day");
	tell(w, "point_scale", n->point_scale, "--point-scale");
	if (n->start_date != NIL) {
		struct buf day = { 0 };
		when_put_date(&day, (int32_t)n->start_date);
		tell(w, "start_date", arena_str(w->arena, buf_str(&day)), "--start-date");
		buf_free(&day);
	}
	if (!n->automatic_planning)
		report_say(w->report, INTAKE_NOTE, NIL, "automatic_planning", "setting",
			"automatic_planning is off because there are planned stories, or the "
			"files say so");
}

static enum rc make_review_types(struct import_context *w)
{
	struct str names[PROJECT_REVIEW_TYPES];
	for (int i = 0; i < PROJECT_REVIEW_TYPES; i++)
		names[i] = str_of(project_review_types[i]);
	const struct db_param params[] = { db_int(w->arena, w->project),
		db_texts(w->arena, names, PROJECT_REVIEW_TYPES) };
	return context_run(w, STMT_IMPORT_REVIEW_TYPES, 2, params);
}

/* What the command's options say; they were checked. */
static struct project *chosen(struct import_context *w)
{
	const struct import_options *o = w->options;
	struct project *c = object_null(w->arena, &res_project);
	int32_t day;
	c->name = w->name;
	c->account_id = w->account;
	c->time_zone = w->zone;
	c->iteration_length = o->iteration_length;
	if (o->week_start_day)
		c->week_start_day = week_day_of(o->week_start_day);
	c->point_scale = str_of(o->point_scale);
	if (o->start_date && when_parse_date(str_of(o->start_date), &day))
		c->start_date = day;
	return c;
}

static enum rc take_id(struct import_context *w, const struct new_settings *s)
{
	const struct db_param params[] = { context_int(w, s->id),
		db_int(w->arena, ARRIVAL_IDS_MAX) };
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_PROJECT_ID, 2, params, &rows);
	if (rc)
		return rc;
	w->project = number(rows, "id");
	return raise_ids(w->db, w->arena, STR("project_id_seq"), w->project);
}

static enum rc save(struct import_context *w, struct project *n)
{
	struct save save = { .arena = w->arena, .db = w->db };
	db_end(w->db);
	save_new(&save, &res_project, n);
	db_commit(w->db);
	enum rc rc = save_take(&save);
	return rc ? rc : db_finish(w->db);
}

static enum rc insert(struct import_context *w, const struct new_settings *s)
{
	struct project *n = object_new(w->arena, &res_project);
	enum rc rc = take_id(w, s);
	if (rc)
		return rc;
	arrival_project(n, &s->facts, s->record, chosen(w), w->now);
	n->id = w->project;
	if ((rc = save(w, n)))
		return rc;
	tell_settings(w, n);
	if (w->is_whole && s->version > 0 && s->version <= ARRIVAL_VERSION_MAX) {
		const struct db_param kept[] = { db_int(w->arena, n->id),
			db_int(w->arena, s->version) };
		rc = context_run(w, STMT_IMPORT_KEEP_VERSION, 2, kept);
	}
	return rc || s->has_review_types ? rc : make_review_types(w);
}

/* Lengths that follow from the files, unless they have overrides, or the command says otherwise. */
static enum rc insert_lengths(struct import_context *w, const struct new_settings *s)
{
	const struct calendar *c = &s->calendar;
	const struct db_param params[] = { db_int(w->arena, w->project),
		db_ids(w->arena, c->numbers, c->n), db_ids(w->arena, c->lengths, c->n) };
	if (c->odd)
		report_say(w->report, INTAKE_CHANGED, NIL, "Iteration", "odd_days",
			"%zu iterations are not whole weeks long", c->odd);
	if (s->has_overrides || c->n == 0 || w->options->iteration_length != NIL ||
		w->options->start_date)
		return RC_OK;
	for (size_t i = 0; i < c->n; i++)
		report_say(w->report, INTAKE_NOTE, NIL, "Iteration", "odd_length",
			"iteration %lld has %lld weeks", (long long)c->numbers[i],
			(long long)c->lengths[i]);
	return context_run(w, STMT_IMPORT_NEW_OVERRIDES, 3, params);
}

static enum rc make_project(struct import_context *w)
{
	struct new_settings s = { 0 };
	enum rc rc = load_record(w, &s);
	if (!rc)
		rc = load_facts(w, &s);
	if (!rc)
		rc = load_scale(w, &s);
	if (!rc)
		rc = load_calendar(w, &s);
	if (!rc)
		rc = choose_zone(w, &s);
	if (!rc && !context_is_refused(w))
		rc = insert(w, &s);
	return rc || context_is_refused(w) ? rc : insert_lengths(w, &s);
}

enum rc import_project_version(struct import_context *w)
{
	struct rows *rows;
	struct db_param id = db_int(w->arena, w->project);
	enum rc rc = context_rows(w, STMT_IMPORT_PROJECT, 1, &id, &rows);
	if (!rc)
		w->version = number(rows, "version");
	return rc;
}

enum rc import_project_take(struct import_context *w)
{
	struct new_settings s = { 0 };
	if (w->is_new)
		return make_project(w);
	const struct import_options *o = w->options;
	if (o->time_zone || o->start_date || o->point_scale || o->week_start_day ||
		o->iteration_length != NIL)
		report_say(w->report, INTAKE_NOTE, NIL, NULL, "settings_stay",
			"the project exists and keeps its settings: change them separately");
	struct db_param id = db_int(w->arena, w->project);
	enum rc rc = context_run(w, STMT_IMPORT_LOCK, 1, &id);
	if (!rc)
		rc = find_project(w); /* as its last writer left it */
	return rc ? rc : load_record(w, &s);
}
