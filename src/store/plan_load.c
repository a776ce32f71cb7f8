#include "store/plan_load.h"

#include <string.h>

#include "model/words.h"

/* Stories that are not accepted are loaded in pieces, each this many times as long as the
   previous one: the current iteration seldom needs more than the first. */
enum { PIECE = 128, PIECE_GROWTH = 8 };

/* Projects ----------------------------------------------------------------- */

void plan_load_send_projects(struct arena *a, struct db *db, const int64_t *ids, size_t n)
{
	struct db_param param = db_ids(a, ids, n);
	db_send(db, STMT_PLANNING_PROJECTS, 1, &param);
}

static int find_week_day(struct str name)
{
	int day = 0;
	while (words_week_days[day] && !str_equal_z(name, words_week_days[day]))
		day++;
	return day % 7;
}

static void take_overrides(
	struct arena *a, const struct rows *rows, int row, struct planning_project *p)
{
	struct db_array numbers =
		db_array(rows, row, db_column(rows, "iteration_override_numbers"));
	struct db_array weeks = db_array(rows, row, db_column(rows, "override_weeks"));
	struct db_array strengths = db_array(rows, row, db_column(rows, "override_strengths"));
	struct planning_override *o = arena_array(a, (size_t)numbers.left, sizeof *o);
	int64_t number, length;
	double strength;
	p->overrides = o;
	while (db_array_next_int(&numbers, &number) && db_array_next_int(&weeks, &length) &&
		db_array_next_float(&strengths, &strength))
		o[p->overrides_n++] =
			(struct planning_override){ (int)number, (int)length, strength };
}

/* The day on which iteration 1 begins, and its midnight, which is among those given. */
static void take_first_day(const struct rows *rows, int row, struct plan_project *p)
{
	int start = db_column(rows, "start_date"), accepted = db_column(rows, "first_accepted_day");
	int32_t start_date = 0, first_accepted = 0;
	bool has_start = !db_is_null(rows, row, start);
	bool has_accepted = !db_is_null(rows, row, accepted);
	if (has_start)
		start_date = db_get_date(rows, row, start);
	if (has_accepted)
		first_accepted = db_get_date(rows, row, accepted);
	p->project.first_day = planning_find_first_day(
		find_week_day(db_get_text(rows, row, db_column(rows, "week_start_day"))),
		has_start ? &start_date : NULL, has_accepted ? &first_accepted : NULL,
		db_get_date(rows, row, db_column(rows, "created_day")));
	struct db_array days = db_array(rows, row, db_column(rows, "week_days"));
	struct db_array midnights = db_array(rows, row, db_column(rows, "week_midnights"));
	int64_t day;
	while (db_array_next_int(&days, &day) && db_array_next_int(&midnights, &p->first_midnight))
		if (day == p->project.first_day)
			break;
}

static int get_int(const struct rows *rows, int row, const char *column)
{
	return (int)db_get_int(rows, row, db_column(rows, column));
}

void plan_load_read_project(
	struct arena *a, const struct rows *rows, int row, struct plan_project *p)
{
	*p = (struct plan_project){ 0 };
	p->id = db_get_int(rows, row, db_column(rows, "id"));
	p->project.iteration_length = get_int(rows, row, "iteration_length");
	p->project.initial_velocity = get_int(rows, row, "initial_velocity");
	p->project.velocity_averaged_over = get_int(rows, row, "velocity_averaged_over");
	p->project.automatic_planning =
		db_get_bool(rows, row, db_column(rows, "automatic_planning"));
	take_first_day(rows, row, p);
	take_overrides(a, rows, row, &p->project);
	p->shown = get_int(rows, row, "number_of_done_iterations_to_show");
	p->now = db_get_time(rows, row, db_column(rows, "now"));
	p->zone = db_get_text(rows, row, db_column(rows, "time_zone_olson_name"));
	p->today = db_get_date(rows, row, db_column(rows, "today"));
	planning_make_day_calendar(a, &p->project, p->today, &p->days);
}

enum rc plan_load_take_projects(
	struct arena *a, struct db *db, struct plan_project **projects, size_t *n)
{
	struct rows *rows;
	enum rc rc = db_next(db, &rows);
	*n = rc ? 0 : (size_t)db_count(rows);
	*projects = arena_array(a, *n, sizeof **projects);
	for (size_t i = 0; i < *n; i++)
		plan_load_read_project(a, rows, (int)i, &(*projects)[i]);
	return rc;
}

int32_t plan_load_current_day(const struct plan_project *p)
{
	return planning_find_span(&p->days, p->days.current).day;
}

int32_t plan_load_shown_day(const struct plan_project *p)
{
	int number = p->shown < p->days.current ? (int)(p->days.current - p->shown) : 1;
	return planning_find_span(&p->days, number).day;
}

/* Midnights ---------------------------------------------------------------- */

enum rc plan_load_midnights(
	struct arena *a, struct db *db, const struct plan_day *days, size_t n, int64_t **instants)
{
	struct rows *rows;
	int64_t *numbers = arena_array(a, n, sizeof *numbers);
	struct str *zones = arena_array(a, n, sizeof *zones);
	for (size_t i = 0; i < n; i++) {
		numbers[i] = days[i].day;
		zones[i] = days[i].zone;
	}
	const struct db_param params[] = { db_ids(a, numbers, n), db_texts(a, zones, n) };
	db_send(db, STMT_PLANNING_INSTANTS, 2, params);
	db_flush(db);
	enum rc rc = db_next(db, &rows);
	*instants = numbers;
	for (int i = 0; !rc && i < db_count(rows); i++)
		numbers[i] = db_get_time(rows, i, 0);
	return rc;
}

static enum rc take_midnights(struct arena *a, struct db *db, const struct plan_window *window,
	struct planning_project *p)
{
	struct rows *rows;
	enum rc rc = db_next(db, &rows);
	if (rc)
		return rc;
	struct db_array array = db_array(rows, 0, 0);
	int64_t *midnights = arena_array(a, (size_t)array.left, sizeof *midnights);
	size_t n = 0;
	while (db_array_next_int(&array, &midnights[n]))
		n++;
	p->midnights = (struct planning_midnights){ window->midnights.from, n, midnights };
	return RC_OK;
}

/* Stories ------------------------------------------------------------------ */

/* A plan that is being loaded. */
struct loading {
	struct arena *arena;
	struct db *db;
	const struct plan_wish *wish;
	const struct plan_project *of;
	struct plan_window window;
	struct plan_stories done;
	struct plan *plan;
	int64_t place[3]; /* section, rank and id of the last story that is not accepted */
	int64_t piece;    /* how many are requested; 0: all */
	bool more;        /* there may be more after it */
};

/* `to` absent: to the end. */
static void send_accepted(struct loading *l, int32_t from, const int32_t *to)
{
	const struct db_param params[] = { db_int(l->arena, l->wish->project),
		db_date(l->arena, from), to ? db_date(l->arena, *to) : db_null(),
		db_text(l->arena, l->wish->label) };
	db_send(l->db, STMT_PLANNING_ACCEPTED, 4, params);
}

static void send_waiting(struct loading *l)
{
	const struct db_param params[] = { db_int(l->arena, l->wish->project),
		db_int(l->arena, l->place[0]), db_int(l->arena, l->place[1]),
		db_int(l->arena, l->place[2]), db_int_or_null(l->arena, l->piece, 0),
		db_text(l->arena, l->wish->label) };
	db_send(l->db, STMT_PLANNING_UNACCEPTED, 6, params);
}

static void make_room(struct arena *a, struct plan_stories *s, size_t n)
{
	struct plan_stories old = *s;
	s->stories = arena_array(a, old.n + n, sizeof *s->stories);
	s->ids = arena_array(a, old.n + n, sizeof *s->ids);
	s->shown = arena_array(a, old.n + n, sizeof *s->shown);
	if (old.n == 0)
		return;
	memcpy(s->stories, old.stories, old.n * sizeof *s->stories);
	memcpy(s->ids, old.ids, old.n * sizeof *s->ids);
	memcpy(s->shown, old.shown, old.n * sizeof *s->shown);
}

/* Appends stories from the columns id, section, rank, estimate and shown. */
static enum rc take_stories(struct loading *l, struct plan_stories *s)
{
	static const enum planning_state states[] = { PLANNING_ACCEPTED, PLANNING_STARTED,
		PLANNING_PLANNED, PLANNING_UNSTARTED };
	struct rows *rows;
	enum rc rc = db_next(l->db, &rows);
	int n = rc ? 0 : db_count(rows);
	if (n == 0)
		return rc;
	make_room(l->arena, s, (size_t)n);
	for (int row = 0; row < n; row++, s->n++) {
		int64_t section = db_get_int(rows, row, 1), rank = db_get_int(rows, row, 2);
		s->ids[s->n] = db_get_int(rows, row, 0);
		s->shown[s->n] = !db_is_null(rows, row, 4) && db_get_bool(rows, row, 4);
		s->stories[s->n] = (struct planning_story){ .state = states[section],
			.estimate = db_is_null(rows, row, 3) ? -1 : db_get_float(rows, row, 3),
			.accepted_at = rank };
	}
	for (int i = 0; i < 3; i++)
		l->place[i] = db_get_int(rows, n - 1, i == 0 ? 1 : i == 1 ? 2 : 0);
	return RC_OK;
}

static enum rc take_waiting(struct loading *l)
{
	size_t before = l->plan->open.n;
	enum rc rc = take_stories(l, &l->plan->open);
	l->more = l->piece && l->plan->open.n - before == (size_t)l->piece;
	return rc;
}

static void send_stories(struct loading *l)
{
	const struct plan_window *window = &l->window;
	const struct db_param params[] = { db_date(l->arena, window->midnights.from),
		db_date(l->arena, window->midnights.to), db_text(l->arena, l->of->zone) };
	db_send(l->db, STMT_PLANNING_MIDNIGHTS, 3, params);
	for (size_t i = 0; i < window->done_n; i++)
		send_accepted(l, window->done[i].from, &window->done[i].to);
	if (!window->open)
		return;
	send_accepted(l, window->current_day, NULL);
	send_waiting(l);
}

static enum rc take_all(struct loading *l)
{
	struct plan *p = l->plan;
	enum rc rc = take_midnights(l->arena, l->db, &l->window, &p->project);
	for (size_t i = 0; !rc && i < l->window.done_n; i++)
		rc = take_stories(l, &l->done);
	if (!rc && l->window.open)
		rc = take_stories(l, &p->open);
	if (!rc && l->window.open)
		rc = take_waiting(l);
	if (!rc)
		planning_make_calendar(l->arena, &p->project, l->of->now, &p->calendar);
	return rc;
}

/* Fills iterations until those of the page are full. */
static enum rc fill(struct loading *l)
{
	plan_fill(l->arena, &l->window, &l->done, l->plan);
	while (l->more && !plan_is_filled(l->plan, l->wish, &l->window)) {
		l->piece *= PIECE_GROWTH;
		send_waiting(l);
		db_flush(l->db);
		enum rc rc = take_waiting(l);
		if (rc)
			return rc;
		plan_fill(l->arena, &l->window, &l->done, l->plan);
	}
	return RC_OK;
}

void plan_load_send(struct arena *a, struct db *db, const struct plan_wish *w)
{
	plan_load_send_projects(a, db, &w->project, 1);
}

enum rc plan_load_take(struct arena *a, struct db *db, const struct plan_wish *w, struct plan *p)
{
	struct plan_project *of;
	size_t n;
	*p = (struct plan){ 0 };
	enum rc rc = plan_load_take_projects(a, db, &of, &n);
	return rc || n == 0 ? rc : plan_load_of(a, db, of, w, p);
}

enum rc plan_load_of(struct arena *a, struct db *db, const struct plan_project *of,
	const struct plan_wish *w, struct plan *p)
{
	enum rc rc;
	*p = (struct plan){ 0 };
	struct loading l = { .arena = a, .db = db, .wish = w, .of = of, .plan = p };
	p->project = of->project;
	plan_find_window(&of->days, w, &l.window);
	l.piece = plan_needs_all(w) ? 0 : PIECE;
	l.place[0] = 0;
	l.place[1] = l.place[2] = INT64_MAX; /* after all accepted ones */
	send_stories(&l);
	db_flush(db);
	if ((rc = take_all(&l)) || (rc = fill(&l)))
		return rc;
	plan_make_page(a, w, &l.window, &l.done, p);
	return RC_OK;
}

enum rc plan_load(struct arena *a, struct db *db, const struct plan_wish *w, struct plan *p)
{
	plan_load_send(a, db, w);
	db_flush(db);
	return plan_load_take(a, db, w, p);
}
