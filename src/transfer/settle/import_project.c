#include "transfer/settle/import_project.h"

#include <string.h>

#include "lib/when.h"
#include "model/words.h"
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
		context_refuse(w, "no_project", "there is no project %lld: name one that is there",
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
			"there is no account %lld with an owner: name one that is there",
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
			"the name of a project has 1 to 50 characters: give another one");
		return RC_OK;
	}
	enum rc rc = context_rows(w, STMT_IMPORT_PROJECT_NAMED, 2, params, &rows);
	if (!rc && db_count(rows))
		context_refuse(w, "name_taken",
			"the account has a project %.*s: give another name, or --project %lld to go on with that one",
			(int)name.n, name.p, (long long)db_get_int(rows, 0, 0));
	return rc;
}

static bool is_week_day(const char *z)
{
	for (int i = 0; words_week_days[i]; i++)
		if (str_equal_nocase(str_of(z), str_of(words_week_days[i])))
			return true;
	return false;
}

static void check_options(struct import_context *w)
{
	const struct import_options *o = w->options;
	int32_t day;
	if (o->iteration_length != NIL && (o->iteration_length < 1 || o->iteration_length > 4))
		context_refuse(w, "bad_option",
			"an iteration has 1 to 4 weeks: correct --iteration-length");
	if (o->week_start_day && !is_week_day(o->week_start_day))
		context_refuse(w, "bad_option",
			"%s is no day of the week: correct --week-start-day", o->week_start_day);
	if (o->start_date && !when_parse_date(str_of(o->start_date), &day))
		context_refuse(w, "bad_option",
			"%s is no day like 2023-10-02: correct --start-date", o->start_date);
	if (o->point_scale &&
		(strlen(o->point_scale) > 255 || !*o->point_scale ||
			strspn(o->point_scale, "0123456789.,") != strlen(o->point_scale)))
		context_refuse(w, "bad_option",
			"%s is no point scale like 0,1,2,3: correct --point-scale", o->point_scale);
}

static enum rc look_at_clock(struct import_context *w)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_TODAY, 0, NULL, &rows);
	if (!rc)
		w->today = db_get_date(rows, 0, 0);
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
struct settings {
	struct str zone, scale;
	int64_t length, start, week_start; /* NIL: not known */
	bool has_planned, estimates_all, has_priority, has_review_types, has_overrides, has_record;
	struct calendar calendar;
};

static enum rc load_record(struct import_context *w, struct settings *s)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_SETTINGS, 0, NULL, &rows);
	if (rc || db_count(rows) == 0)
		return rc;
	s->has_record = true;
	s->zone = copy(w, rows, "time_zone");
	w->is_whole = flag(rows, "whole");
	return RC_OK;
}

static enum rc load_facts(struct import_context *w, struct settings *s)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_FACTS, 0, NULL, &rows);
	if (rc)
		return rc;
	s->has_planned = flag(rows, "has_planned");
	s->estimates_all = flag(rows, "estimates_all");
	s->has_priority = flag(rows, "has_priority");
	s->has_review_types = flag(rows, "has_review_types");
	s->has_overrides = flag(rows, "has_overrides");
	return RC_OK;
}

static enum rc load_scale(struct import_context *w, struct settings *s)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_ESTIMATES, 0, NULL, &rows);
	if (rc)
		return rc;
	size_t n = (size_t)db_count(rows);
	double *values = arena_array(w->arena, n + 1, sizeof *values);
	for (size_t i = 0; i < n; i++)
		values[i] = db_get_float(rows, (int)i, 0);
	s->scale = import_scale_of(w->arena, values, n);
	if (n > IMPORT_SCALE_MAX && !w->options->point_scale)
		report_say(w->report, INTAKE_CHANGED, NIL, "Estimate", "many_estimates",
			"a point scale has %d values, and there are %zu: --point-scale gives another",
			IMPORT_SCALE_MAX, n);
	return RC_OK;
}

static enum rc load_calendar(struct import_context *w, struct settings *s)
{
	enum rc rc = import_calendar_read(w, &s->calendar);
	if (rc)
		return rc;
	s->length = s->calendar.length ? s->calendar.length : 1;
	s->start = s->calendar.length ? s->calendar.start : NIL;
	s->week_start = s->start == NIL ? NIL : when_weekday((int32_t)s->start);
	return RC_OK;
}

static enum rc choose_zone(struct import_context *w, const struct settings *s)
{
	struct rows *rows;
	struct str zone = w->options->time_zone ? str_of(w->options->time_zone)
		: s->zone.p                     ? s->zone
						: w->zone;
	struct db_param param = db_text(w->arena, zone);
	enum rc rc = context_rows(w, STMT_IMPORT_ZONE_KNOWN, 1, &param, &rows);
	if (!rc && (!when_is_zone_name(zone) || !db_get_bool(rows, 0, 0)))
		context_refuse(w, "bad_zone",
			"%.*s is no zone of the tz database: give --time-zone", (int)zone.n,
			zone.p);
	w->zone = arena_str(w->arena, zone);
	return rc;
}

static void tell(struct import_context *w, const char *what, struct str value, const char *option)
{
	report_say(w->report, INTAKE_NOTE, NIL, what, "setting", "%s is %.*s: %s gives another",
		what, (int)value.n, value.p, option);
}

static void tell_settings(struct import_context *w, const struct rows *rows)
{
	tell(w, "time_zone", copy(w, rows, "time_zone"), "--time-zone");
	tell(w, "iteration_length",
		arena_printf(w->arena, "%lld", (long long)number(rows, "iteration_length")),
		"--iteration-length");
	tell(w, "week_start_day", copy(w, rows, "week_start_day"), "--week-start-day");
	tell(w, "point_scale", copy(w, rows, "point_scale"), "--point-scale");
	if (!db_is_null(rows, 0, db_column(rows, "start_date"))) {
		struct buf day = { 0 };
		when_put_date(&day, db_get_date(rows, 0, db_column(rows, "start_date")));
		tell(w, "start_date", arena_str(w->arena, buf_str(&day)), "--start-date");
		buf_free(&day);
	}
	if (!flag(rows, "automatic_planning"))
		report_say(w->report, INTAKE_NOTE, NIL, "automatic_planning", "setting",
			"automatic_planning is off, for there are planned stories, or the files say so");
}

static enum rc insert(struct import_context *w, const struct settings *s)
{
	const struct import_options *o = w->options;
	struct rows *rows;
	const struct db_param params[] = { db_int(w->arena, w->account), db_text(w->arena, w->name),
		db_text(w->arena, w->zone), context_int(w, o->iteration_length),
		context_z(w, o->week_start_day), context_z(w, o->point_scale),
		context_z(w, o->start_date),
		s->start == NIL ? db_null() : db_date(w->arena, (int32_t)s->start),
		db_int(w->arena, s->length),
		s->week_start == NIL ? db_null() : context_z(w, words_week_days[s->week_start]),
		db_text(w->arena, s->scale), db_bool(w->arena, s->estimates_all),
		db_bool(w->arena, s->has_planned), db_bool(w->arena, s->has_priority) };
	enum rc rc = context_rows(w, STMT_IMPORT_NEW_PROJECT, 14, params, &rows);
	if (rc)
		return rc;
	w->project = number(rows, "id");
	tell_settings(w, rows);
	struct db_param id = db_int(w->arena, w->project);
	rc = context_run(w, STMT_IMPORT_RAISE_PROJECT, 1, &id);
	return rc || s->has_review_types ? rc : context_run(w, STMT_IMPORT_REVIEW_TYPES, 1, &id);
}

/* Lengths that the files show, unless they have the iterations' own, or the command has another. */
static enum rc insert_lengths(struct import_context *w, const struct settings *s)
{
	const struct calendar *c = &s->calendar;
	const struct db_param params[] = { db_int(w->arena, w->project),
		db_ids(w->arena, c->numbers, c->n), db_ids(w->arena, c->lengths, c->n) };
	if (c->odd)
		report_say(w->report, INTAKE_CHANGED, NIL, "Iteration", "odd_days",
			"%zu iterations have days that no whole weeks explain", c->odd);
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
	struct settings s = { 0 };
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
	struct settings s = { 0 };
	if (w->is_new)
		return make_project(w);
	const struct import_options *o = w->options;
	if (o->time_zone || o->start_date || o->point_scale || o->week_start_day ||
		o->iteration_length != NIL)
		report_say(w->report, INTAKE_NOTE, NIL, NULL, "settings_stay",
			"the project is there and keeps its settings: change them by themselves");
	struct db_param id = db_int(w->arena, w->project);
	enum rc rc = context_run(w, STMT_IMPORT_LOCK, 1, &id);
	if (!rc)
		rc = find_project(w); /* as its last writer left it */
	return rc ? rc : load_record(w, &s);
}
