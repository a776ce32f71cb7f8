#include "store/save.h"

#include <string.h>

#include "db/sql.h"
#include "domain/activity.h"
#include "domain/order.h"
#include "model/model.h"
#include "store/audit.h"
#include "store/save_search.h"

static enum rc take(struct save *save)
{
	for (; save->taken < save->statements; save->taken++) {
		struct rows *rows;
		enum rc rc = db_next(save->db, &rows);
		if (rc)
			return rc;
	}
	return RC_OK;
}

/* For a command with thousands of rows, takes results in between. False: sends nothing more. */
static bool has_room(struct save *save)
{
	enum { AT_ONCE = 128 };
	if (save->statements - save->taken == AT_ONCE) {
		db_flush(save->db);
		save->failed = take(save);
	}
	return save->failed == RC_OK;
}

void save_send(struct save *save, enum stmt stmt, int n, const struct db_param *params)
{
	if (!has_room(save))
		return;
	db_send(save->db, stmt, n, params);
	save->statements++;
}

static void send_built(struct save *save, struct sql *q)
{
	if (!has_room(save)) {
		buf_free(&q->text);
		return;
	}
	sql_send(q, save->db);
	save->statements++;
}

/* Rows --------------------------------------------------------------------------- */

static const char *column_of(const struct field *f)
{
	return f->column ? f->column : f->name;
}

static void note_subject(struct save *save, const struct change *c)
{
	save->has_subject = save->has_subject || c->new == save->subject;
}

/* Sends a statement that follows from a change: $1 the object's id, $2 the time. */
static void follow(struct save *save, enum stmt stmt, int64_t id, int64_t now)
{
	const struct db_param params[] = { db_int(save->arena, id), db_time(save->arena, now) };
	if (stmt)
		save_send(save, stmt, 2, params);
}

static void put_object(struct save *save, const struct change *c)
{
	enum { PARAMS_MAX = 16 };
	struct db_param params[PARAMS_MAX] = { db_int(save->arena, object_id(c->new)) };
	int n = 1;
	for (int i = 0; i < c->of->n_fields && n < PARAMS_MAX; i++)
		if (c->of->fields[i].flags & F_STORED)
			params[n++] = object_param(save->arena, &c->of->fields[i], c->new);
	save_send(save, c->of->put, n, params);
}

static void put_values(struct save *save, struct sql *q, const struct change *c)
{
	sql_put(q, "(");
	sql_param(q, db_int(save->arena, object_id(c->new)));
	for (int i = 0; i < c->of->n_fields; i++) {
		const struct field *f = &c->of->fields[i];
		if (!(f->flags & F_STORED))
			continue;
		sql_put(q, ", ");
		sql_param(q, object_param(save->arena, f, c->new));
	}
	sql_put(q, ")");
}

/* Inserts rows of one resource. */
static void insert_rows(struct save *save, const struct change *const *rows, size_t n)
{
	const struct resource *of = rows[0]->of;
	struct sql q;
	sql_init(&q, save->arena);
	sql_put(&q, "insert into ");
	sql_put(&q, of->table);
	sql_put(&q, " (id");
	for (int i = 0; i < of->n_fields; i++)
		if (of->fields[i].flags & F_STORED) {
			sql_put(&q, ", ");
			sql_put(&q, column_of(&of->fields[i]));
		}
	sql_put(&q, ") values ");
	for (size_t i = 0; i < n; i++) {
		sql_put(&q, i ? ", " : "");
		put_values(save, &q, rows[i]);
	}
	for (size_t i = 0; i < n; i++)
		note_subject(save, rows[i]);
	send_built(save, &q);
}

void save_new(struct save *save, const struct resource *of, void *object)
{
	const struct change c = { .of = of, .new = object };
	const struct change *rows[] = { &c };
	insert_rows(save, rows, 1);
}

enum { INSERT_PARAMS_MAX = 440 };

/* How many of the rows go into one statement: a power of two, so that there are few statements to
   prepare. */
static size_t rows_at_once(const struct resource *of, size_t n)
{
	size_t columns = 1, most = 1;
	for (int i = 0; i < of->n_fields; i++)
		columns += (of->fields[i].flags & F_STORED) != 0;
	while (most < 32 && 2 * most <= n && 2 * most * columns <= INSERT_PARAMS_MAX)
		most *= 2;
	return most;
}

/* Inserts objects of one depth: those that others refer to come first. */
static void insert_all(struct save *save, const struct batch *b, int depth, int64_t now)
{
	const struct change **rows = arena_array(save->arena, b->n, sizeof *rows);
	size_t n = 0, run;
	for (size_t i = 0; i < b->n; i++)
		if (b->changes[i].type == CHANGE_CREATE && b->changes[i].of->depth == depth)
			rows[n++] = &b->changes[i];
	for (size_t i = 0; i < n; i += run) {
		run = 1;
		if (rows[i]->of->put) {
			put_object(save, rows[i]);
			continue;
		}
		while (i + run < n && rows[i + run]->of == rows[i]->of)
			run++;
		run = rows_at_once(rows[i]->of, run);
		insert_rows(save, rows + i, run);
	}
	for (size_t i = 0; i < n; i++)
		follow(save, rows[i]->of->made, object_id(rows[i]->new), now);
}

/* Statements that follow from a changed value. */
static void follow_changes(struct save *save, const struct change *c, int64_t now)
{
	for (int i = 0; i < c->of->n_fields; i++) {
		const struct field *f = &c->of->fields[i];
		if (f->changed && !object_same(f, c->old, c->new))
			follow(save, f->changed, object_id(c->new), now);
	}
}

static void update_row(struct save *save, const struct change *c, int64_t now)
{
	struct sql q;
	bool first = true;
	if (c->elsewhere)
		return;
	if (c->of->put) {
		put_object(save, c);
		return;
	}
	sql_init(&q, save->arena);
	sql_put(&q, "update ");
	sql_put(&q, c->of->table);
	sql_put(&q, " set ");
	for (int i = 0; i < c->of->n_fields; i++) {
		const struct field *f = &c->of->fields[i];
		if (!(f->flags & F_STORED) || object_same(f, c->old, c->new))
			continue;
		sql_put(&q, first ? "" : ", ");
		sql_put(&q, column_of(f));
		sql_put(&q, " = ");
		sql_param(&q, object_param(save->arena, f, c->new));
		first = false;
	}
	sql_put(&q, " where id = ");
	sql_param(&q, db_int(save->arena, object_id(c->new)));
	note_subject(save, c);
	send_built(save, &q);
	follow_changes(save, c, now);
}

static void delete_row(struct save *save, const struct change *c, int64_t now)
{
	struct sql q;
	int64_t id = object_id(c->old);
	struct db_param param = db_int(save->arena, id);
	if (c->of->removal) {
		save_send(save, c->of->removal, 1, &param);
		return;
	}
	sql_init(&q, save->arena);
	sql_put(&q, "delete from ");
	sql_put(&q, c->of->table);
	sql_put(&q, " where id = ");
	sql_param(&q, param);
	send_built(save, &q);
	follow(save, c->of->gone, id, now);
}

/* Whether a change only affects a label's numbers. */
static bool is_tally(const struct change *c)
{
	return c->of == &res_label && c->type == CHANGE_UPDATE &&
		!outcome_differs_but(&res_label, c->old, c->new, "counts");
}

/* Saves the numbers of all labels with one statement. */
static void save_label_counts(struct save *save, const struct batch *b)
{
	int64_t *ids = arena_array(save->arena, b->n, sizeof *ids);
	double *numbers = arena_array(save->arena, b->n, TALLY_MAX * sizeof *numbers);
	size_t n = 0;
	for (size_t i = 0; i < b->n; i++) {
		const struct label *l = b->changes[i].new;
		if (!is_tally(&b->changes[i]))
			continue;
		memcpy(numbers + n * TALLY_MAX, l->tally, sizeof l->tally);
		ids[n++] = l->id;
	}
	if (n == 0)
		return;
	const struct db_param params[] = { db_ids(save->arena, ids, n),
		db_floats(save->arena, numbers, n * TALLY_MAX),
		db_int(save->arena, b->project->id) };
	save_send(save, STMT_SAVE_LABEL_COUNTS, 3, params);
}

/* Objects that others refer to are written first and deleted last. */
static void save_rows(struct save *save, const struct batch *b, int64_t now)
{
	enum { DEPTHS = 5 };
	for (int depth = 0; depth < DEPTHS; depth++)
		insert_all(save, b, depth, now);
	for (size_t i = 0; i < b->n; i++)
		if (b->changes[i].type == CHANGE_UPDATE && !is_tally(&b->changes[i]))
			update_row(save, &b->changes[i], now);
	save_label_counts(save, b);
	for (int depth = DEPTHS - 1; depth >= 0; depth--)
		for (size_t i = 0; i < b->n; i++)
			if (b->changes[i].type == CHANGE_DELETE && b->changes[i].of->depth == depth)
				delete_row(save, &b->changes[i], now);
}

/* Activities and deliveries ----------------------------------------------------------- */

static void save_version(struct save *save, const struct batch *b, int64_t now)
{
	struct arena *a = save->arena;
	const struct project *p = b->project;
	int64_t counts[SECTIONS];
	struct buf text = { 0 };
	for (int i = 0; i < SECTIONS; i++) {
		counts[i] =
			((size_t)i < p->story_counts.n ? p->story_counts.v[i] : 0) + b->counts[i];
		buf_printf(&text, "%c%lld", i ? ',' : '{', (long long)counts[i]);
	}
	buf_put_char(&text, '}');
	const struct db_param params[] = { db_int(a, p->id), db_int(a, p->version + 1),
		db_text(a, buf_str(&text)), db_time(a, now) };
	save_send(save, STMT_SAVE_VERSION, 4, params);
	db_hint(save->db, HINT_PROJECT, p->id, p->version + 1);
	buf_free(&text);
}

static void save_activity(struct save *save, const struct scene *s, const struct batch *b)
{
	struct arena *a = save->arena;
	struct activity x;
	activity_make(s, b, &x);
	const struct db_param params[] = { db_int(a, b->project->id),
		db_int(a, b->project->version + 1), db_text(a, x.kind),
		db_int_or_null(save->arena, s->me->id, NIL), db_text(a, x.changes),
		db_text(a, x.highlight), db_text(a, x.message), db_text(a, x.primary_resources),
		db_bool(a, x.has_secondary), db_ids(a, x.story_ids.v, x.story_ids.n),
		db_ids(a, x.epic_ids.v, x.epic_ids.n), db_time(a, s->now) };
	save_send(save, STMT_SAVE_ACTIVITY, 12, params);
}

static void save_transitions(struct save *save, const struct scene *s, const struct batch *b)
{
	struct arena *a = save->arena;
	size_t n = 0;
	for (const struct transition *t = b->transitions; t; t = t->next)
		n++;
	if (n == 0)
		return;
	int64_t *ids = arena_array(a, n, sizeof *ids);
	struct str *states = arena_array(a, n, sizeof *states);
	n = 0;
	for (const struct transition *t = b->transitions; t; t = t->next) {
		ids[n] = t->story_id;
		states[n++] = str_of(words_story_states[t->state]);
	}
	const struct db_param params[] = { db_int(a, b->project->id),
		db_int(a, b->project->version + 1), db_int_or_null(save->arena, s->me->id, NIL),
		n == 1 ? db_int(a, ids[0]) : db_ids(a, ids, n),
		n == 1 ? db_text(a, states[0]) : db_texts(a, states, n), db_time(a, s->now) };
	save_send(save, n == 1 ? STMT_SAVE_TRANSITION : STMT_SAVE_TRANSITIONS, 6, params);
}

static void save_batch(struct save *save, const struct scene *s, const struct batch *b)
{
	struct arena *a = save->arena;
	save_rows(save, b, s->now);
	save_search_texts(save, b);
	if (!b->project || !b->activity)
		return;
	save_transitions(save, s, b);
	save_version(save, b, s->now);
	save_activity(save, s, b);
	if (!b->project->has_webhooks)
		return;
	const struct db_param params[] = { db_int(a, b->project->id),
		db_int(a, b->project->version + 1) };
	save_send(save, STMT_SAVE_DELIVERIES, 2, params);
}

void save_batches(struct save *save, const struct outcome *out)
{
	for (const struct batch *b = out->batches; b; b = b->next)
		if (b->n)
			save_batch(save, out->scene, b);
}

void save_outcome(struct save *save, const struct outcome *out)
{
	save_batches(save, out);
	audit_save(save, out);
	save_news(save, out->scene->me->id, out->scene->now, outcome_news(out));
}

void save_spread_ranks(
	struct save *save, const struct project *p, const struct spread *spread, int64_t story)
{
	struct arena *a = save->arena;
	const struct db_param params[] = { db_int(a, p->id), db_int(a, spread->section),
		db_int(a, spread->rank), db_int(a, spread->id),
		db_int_or_null(save->arena, story, NIL), db_int(a, ORDER_GAP) };
	save_send(save, STMT_SAVE_SPREAD_RANKS, 6, params);
}

enum rc save_take(struct save *save)
{
	return save->failed ? save->failed : take(save);
}
