/* planwrightctl import: its options, and its final message. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "domain/project.h"
#include "lib/when.h"
#include "model/value.h"
#include "model/words.h"
#include "programs/ctl/ctl_progress.h"
#include "programs/ctl/ctl_audit_entry.h"
#include "transfer/run/import.h"

enum { WEEKS_MAX = 4 };

/* Options ------------------------------------------------------------------------------ */

static int64_t number(struct ctl *c, enum ctl_option option, const char *name, int64_t max)
{
	int64_t v;
	if (!c->options[option])
		return NIL;
	if (!str_to_int(str_of(c->options[option]), &v) || v < 1 || v > max)
		ctl_fail_usage(c, "import: %s is not a valid value of --%s: give a number from 1%s",
			c->options[option], name, max == WEEKS_MAX ? " to 4" : "");
	return v;
}

static int date_order(struct ctl *c)
{
	const char *order = c->options[CTL_DATE_ORDER];
	if (!order)
		return 0;
	return order[0];
}

static const char *encoding(struct ctl *c)
{
	struct str name = str_of(c->options[CTL_ENCODING]);
	if (!name.p || str_equal_nocase(name, STR("utf-8")))
		return NULL;
	if (!str_equal_nocase(name, STR("windows-1252")))
		ctl_fail_usage(c,
			"import: %s is not a valid value of --encoding: give utf-8 or windows-1252",
			name.p);
	return "windows-1252";
}

static const char *week_day(struct ctl *c)
{
	struct str day = str_of(c->options[CTL_WEEK_START_DAY]);
	for (int i = 0; day.p && words_week_days[i]; i++)
		if (str_equal_nocase(day, str_of(words_week_days[i])))
			return words_week_days[i];
	if (day.p)
		ctl_fail_usage(c,
			"import: %s is not a valid value of --week-start-day: give one like Monday",
			day.p);
	return NULL;
}

/* The option's value without blanks. */
static const char *scale(struct ctl *c)
{
	const char *given = c->options[CTL_POINT_SCALE];
	const char *problem = given ? project_scale_problem(&c->arena, str_of(given)) : NULL;
	if (problem)
		ctl_fail_usage(
			c, "import: %s is not a valid value of --point-scale: %s", given, problem);
	char *tidy = given ? arena_alloc(&c->arena, strlen(given) + 1) : NULL;
	for (char *to = tidy; given && *given; given++)
		if (*given > ' ')
			*to++ = *given;
	return tidy;
}

static void check_settings(struct ctl *c)
{
	const char *zone = c->options[CTL_TIME_ZONE];
	int32_t day;
	if (c->options[CTL_START_DATE] &&
		!when_parse_date(str_of(c->options[CTL_START_DATE]), &day))
		ctl_fail_usage(c,
			"import: %s is not a valid value of --start-date: give one like 2026-01-31",
			c->options[CTL_START_DATE]);
	if (zone && !ctl_is_zone(c, zone))
		ctl_fail_usage(c,
			"import: %s is not a time zone of the tz database: give one like Europe/Vienna",
			zone);
}

/* The account of a new project: if none is named, the only one that there is. */
static int64_t account_of(struct ctl *c)
{
	int64_t named = number(c, CTL_ACCOUNT, "account", INT64_MAX);
	struct buf list = { 0 };
	if (named != NIL)
		return named;
	struct rows *rows = ctl_query(c,
		"select id, name from account where status = 'active' order by id limit 9", 0,
		NULL);
	if (db_count(rows) == 1)
		return db_get_int(rows, 0, 0);
	if (db_count(rows) == 0)
		ctl_fail(c,
			"import: a project needs an account: add one with planwrightctl "
			"account add");
	for (int i = 0; i < db_count(rows); i++) {
		struct str name = db_get_text(rows, i, 1);
		buf_printf(&list, "%s%lld %.*s", i ? ", " : "", (long long)db_get_int(rows, i, 0),
			(int)name.n, name.p);
	}
	ctl_fail(c,
		"import: --account is missing: say which account the project will belong to (%.*s)",
		(int)list.n, list.p);
}

/* Without the time suffix, such as _20250324_145531-export. */
static struct str without_time(struct str name)
{
	size_t n = name.n;
	int digits = 0;
	while (n > 0 && (name.p[n - 1] == '_' || (name.p[n - 1] >= '0' && name.p[n - 1] <= '9')))
		digits += name.p[--n] != '_';
	return digits >= 12 && n > 0 ? (struct str){ name.p, n } : name;
}

/* Undoes, as far as possible, how the original turned a project's name into file names. */
static const char *name_of(struct ctl *c)
{
	static const char *const ends[] = { ".zip", ".csv", "-export" };
	const char *slash = strrchr(c->word, '/');
	struct str name = str_of(slash && slash[1] ? slash + 1 : c->word);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t n = strlen(ends[i]);
		if (name.n > n && strncmp(name.p + name.n - n, ends[i], n) == 0)
			name.n -= n;
	}
	name = without_time(name);
	char *text = arena_alloc(&c->arena, name.n + 1);
	size_t n = 0;
	for (size_t i = 0; i < name.n; i++) {
		char letter = name.p[i] == '_' ? ' ' : name.p[i];
		if (letter != ' ' || (n > 0 && text[n - 1] != ' '))
			text[n++] = letter;
	}
	while (n > 0 && text[n - 1] == ' ')
		n--;
	text[n] = '\0';
	if (text[0] >= 'a' && text[0] <= 'z')
		text[0] = (char)(text[0] - 'a' + 'A');
	return text;
}

static void read_options(struct ctl *c, struct import_options *o)
{
	if (c->options[CTL_PROJECT] && (c->options[CTL_NEW_PROJECT] || c->options[CTL_ACCOUNT]))
		ctl_fail(c,
			"import: --project names an existing project: leave out --new-project and --account, or leave out --project");
	*o = (struct import_options){
		.project = number(c, CTL_PROJECT, "project", INT64_MAX),
		.new_project = c->options[CTL_NEW_PROJECT],
		.account = NIL,
		.performer = NIL,
		.means = ctl_means(c),
		.told_as = str_of(ctl_id(c)),
		.dry_run = c->options[CTL_DRY_RUN],
		.overwrite = c->options[CTL_OVERWRITE],
		.renumber = c->options[CTL_RENUMBER],
		.people = c->options[CTL_PEOPLE],
		.date_order = date_order(c),
		.encoding = encoding(c),
		.time_zone = c->options[CTL_TIME_ZONE],
		.start_date = c->options[CTL_START_DATE],
		.point_scale = scale(c),
		.week_start_day = week_day(c),
		.iteration_length = number(c, CTL_ITERATION_LENGTH, "iteration-length", WEEKS_MAX),
	};
	check_settings(c);
	if (o->project == NIL)
		o->account = account_of(c);
	if (o->project == NIL && !o->new_project)
		o->new_project = name_of(c);
	ctl_commit(c);
}

/* --------------------------------------------------------------------------------------- */

static FILE *open_report(struct ctl *c)
{
	const char *name = c->options[CTL_REPORT];
	FILE *f = name ? fopen(name, "we") : NULL;
	if (name && !f)
		ctl_fail(c, "import: cannot write the report %s: %m: name another file", name);
	return f;
}

static void close_report(struct ctl *c, FILE *f)
{
	bool ok = !f || !ferror(f);
	if (f)
		ok = fclose(f) == 0 && ok;
	if (!ok)
		fprintf(stderr, "planwrightctl: import: the report %s is incomplete: %s\n",
			c->options[CTL_REPORT], strerror(errno));
}

static void tell(const struct import_options *o, const struct import_result *r)
{
	fwrite(r->summary.p ? r->summary.p : "", 1, r->summary.n, stdout);
	if (r->end == IMPORT_ALL || r->end == IMPORT_LOST) {
		if (o->dry_run)
			printf("nothing was written: this was a dry run\n");
		else
			printf("the project is %lld\n", (long long)r->project);
	}
	fflush(stdout);
	if (r->problem.p)
		fprintf(stderr, "planwrightctl: import: %.*s\n", (int)r->problem.n, r->problem.p);
}

/* What the callbacks of an import need. */
struct meanwhile {
	struct ctl *c;
	struct ctl_progress progress;
	bool is_new; /* the import creates the project */
};

static bool show(void *arg, const char *what, int64_t done, int64_t all)
{
	return ctl_progress_show(&((struct meanwhile *)arg)->progress, what, done, all);
}

/* Writes entries to the audit log, in the transaction of the import. */
static bool note(void *arg, struct db *db, const struct import_result *result)
{
	const struct meanwhile *m = arg;
	struct audit_entry e = audit_entry(AUDIT_PROJECT_CREATE);

	(void)db; /* that of c */
	e.kind = "project";
	e.id = e.project_id = result->project;
	if (m->is_new)
		ctl_audit_entry(m->c, &e);
	e.act = AUDIT_PROJECT_IMPORT;
	ctl_audit_entry(m->c, &e);
	ctl_commit(m->c); /* ends the entries' statements, not the transaction */
	return true;
}

void ctl_import(struct ctl *c)
{
	struct import_options o;
	struct import_result result = { 0 };
	struct meanwhile m = { .c = c };
	struct str problem;

	if (ctl_schema_pending(c, &problem) != 0 || !ctl_schema_is_fresh(c))
		ctl_fail(c,
			"import: the schema belongs to another version: run planwrightctl migrate");
	c->status = CTL_USAGE;
	read_options(c, &o);
	o.report = open_report(c);
	c->status = IMPORT_FAILED; /* if a callback fails */
	ctl_progress_begin(&m.progress);
	m.is_new = o.project == NIL;
	o.progress = show;
	o.may_commit = note;
	o.arg = &m;
	import_run(c->db, &c->conf, &c->arena, &o, c->n_words, c->words, &result);
	ctl_progress_end(&m.progress);
	close_report(c, o.report);
	tell(&o, &result);
	c->status = result.end;
}
