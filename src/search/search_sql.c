#include "search/search_sql.h"

#include <string.h>

#include "search/search_sql_text.h"
#include "lib/when.h"

/*
 * How many text terms of a search may become joins; further ones are filters, which the database
 * plans faster.
 */
enum { JOINS_MAX = 4 };

struct build {
	struct sql *sql;
	bool of_epics;
	int joins;
};

/* Parameters --------------------------------------------------------------- */

static void put_quoted(struct buf *b, struct str s)
{
	buf_put_char(b, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			buf_put_char(b, '\\');
		buf_put_char(b, s.p[i]);
	}
	buf_put_char(b, '"');
}

static struct db_param take_buf(struct arena *a, struct buf *b)
{
	struct db_param p = db_text(a, arena_str(a, buf_str(b)));
	buf_free(b);
	return p;
}

/* The alternatives of a term as text[]. */
static struct db_param texts_param(struct arena *a, const struct search_value *v)
{
	struct buf b = { 0 };
	buf_put_char(&b, '{');
	for (const struct search_value *x = v; x; x = x->next) {
		if (x != v)
			buf_put_char(&b, ',');
		put_quoted(&b, x->text);
	}
	buf_put_char(&b, '}');
	return take_buf(a, &b);
}

static struct db_param ids_param(struct arena *a, const struct search_value *v)
{
	struct buf b = { 0 };
	buf_put_char(&b, '{');
	for (const struct search_value *x = v; x; x = x->next) {
		if (x != v)
			buf_put_char(&b, ',');
		buf_put_int(&b, x->id);
	}
	buf_put_char(&b, '}');
	return take_buf(a, &b);
}

/* Text --------------------------------------------------------------------- */

#define MATCH_WORDS(text, words) words " @@ search_query(%s::text)"
#define MATCH_PREFIX(text, words) words " @@ search_prefix(%s::text)"
#define MATCH_PART(text, words) text " ilike %s::text"
#define MATCH_REGEX(text, words) text " ~* %s::text"

/* clang-format off */
#define TEXTS_OF(id, match) \
	"select " id " from search_text x where x.project_id = $1::bigint and " id " is not null and " \
	match("x.text", "x.words")
#define LABELS(match) \
	"array(select l.id from label l where l.project_id = $1::bigint and " \
	match("l.name", "search_words(l.name)") ")"

/*
 * Title, description, comments and so on; labels; people. The union is driven
 * by its indexes: the project's stories are read only when a person is found.
 */
#define IN_STORY(match) \
	"s.id in (" TEXTS_OF("x.story_id", match) \
	" union all select t.id from story t where t.project_id = $1::bigint" \
	" and t.label_ids && " LABELS(match) \
	" union all (with found as materialized (select array(select p.id from person p where " \
	match("p.name", "search_words(p.name)") ") as ids)" \
	" select t.id from found f join story t on cardinality(f.ids) > 0" \
	" and t.project_id = $1::bigint" \
	" and (t.owner_ids && f.ids or t.requested_by_id = any(f.ids))))"
#define IN_NAME(match) "s.id in (" TEXTS_OF("x.story_id", match) " and x.source = 'name')"
#define IN_EPIC(match) \
	"e.id in (" TEXTS_OF("x.epic_id", match) ") or e.label_id = any(" LABELS(match) ")"
#define IN_EPIC_NAME(match) "e.id in (" TEXTS_OF("x.epic_id", match) " and x.source = 'epic')"

#define EACH_WAY(in) \
	{ in(MATCH_WORDS), in(MATCH_PREFIX), in(MATCH_PART), in(MATCH_REGEX) }
/* clang-format on */

static const char *const in_story[SEARCH_SQL_WAYS] = EACH_WAY(IN_STORY);
static const char *const in_name[SEARCH_SQL_WAYS] = EACH_WAY(IN_NAME);
static const char *const in_epic[SEARCH_SQL_WAYS] = EACH_WAY(IN_EPIC);
static const char *const in_epic_name[SEARCH_SQL_WAYS] = EACH_WAY(IN_EPIC_NAME);

static void put_text(struct build *b, const char *const *texts, const struct search_value *v)
{
	struct db_param p;
	enum search_sql_way way = search_sql_text_way(b->sql->arena, v, &p);
	sql_put(b->sql, "(");
	sql_put_with(b->sql, texts[way], p);
	sql_put(b->sql, b->joins++ < JOINS_MAX ? ")" : ") is true");
}

/* Dates -------------------------------------------------------------------- */

struct moment_sql {
	const char *begin, *end; /* of the span; `end` is the first instant after it */
};

/* Days are those of the searcher's zone; a visitor's are the project's. */
#define DAY(day) "(" day ")::timestamp at time zone {zone}"
#define TODAY "(now() at time zone {zone})::date"

static const struct moment_sql moments[] = {
	[SEARCH_DAY] = { DAY("%s::date"), DAY("%s::date + 1") },
	[SEARCH_INSTANT] = { "%s::timestamptz", "%s::timestamptz + interval '1 second'" },
	[SEARCH_WALL_CLOCK] = { "%s::timestamp at time zone {zone}",
		"(%s::timestamp + interval '1 second') at time zone {zone}" },
	[SEARCH_TODAY] = { DAY(TODAY), DAY(TODAY " + 1") },
	[SEARCH_YESTERDAY] = { DAY(TODAY " - 1"), DAY(TODAY) },
	[SEARCH_HOURS_AGO] = { "now() - interval '1 hour' * %s::bigint",
		"now() - interval '1 hour' * (%s::bigint - 1)" },
	[SEARCH_DAYS_AGO] = { DAY(TODAY " - %s::bigint::integer"),
		DAY(TODAY " - %s::bigint::integer + 1") },
	[SEARCH_WEEKS_AGO] = { DAY(TODAY " - 7 * %s::bigint::integer"),
		DAY(TODAY " - 7 * %s::bigint::integer + 1") },
};

static struct db_param day_param(struct arena *a, int32_t day)
{
	struct buf b = { 0 };
	when_put_date(&b, day);
	return take_buf(a, &b);
}

/* The subquery makes it a constant of the statement, which an index can use. */
static void put_moment(struct sql *q, const struct search_date *d, bool is_end)
{
	const char *text = is_end ? moments[d->moment].end : moments[d->moment].begin;
	sql_put(q, "(select ");
	if (d->moment == SEARCH_DAY)
		sql_put_with(q, text, day_param(q->arena, d->day));
	else if (d->moment == SEARCH_INSTANT || d->moment == SEARCH_WALL_CLOCK)
		sql_put_with(q, text, db_time(q->arena, d->us));
	else if (strstr(text, "%s"))
		sql_put_with(q, text, db_int(q->arena, d->n));
	else
		sql_put(q, text);
	sql_put(q, ")");
}

#define UPDATED "s.updated_at"

/* A story's index only has weeks of updates (migration 0035), so the condition includes them. */
static void put_bound(
	struct sql *q, const char *column, bool before, const struct search_date *d, bool is_end)
{
	sql_put(q, column);
	sql_put(q, before ? " < " : " >= ");
	put_moment(q, d, is_end);
	if (strcmp(column, UPDATED) != 0)
		return;
	sql_put(q, before ? " and s.updated_week <= " : " and s.updated_week >= ");
	sql_put(q, "date_trunc('week', ");
	put_moment(q, d, is_end);
	sql_put(q, " at time zone 'UTC')::date");
}

static void put_date(struct build *b, const char *column, const struct search_node *t)
{
	put_bound(b->sql, column, t->side == SEARCH_BEFORE, &t->from, false);
	if (t->side != SEARCH_ON)
		return;
	sql_put(b->sql, " and ");
	put_bound(b->sql, column, true, t->is_range ? &t->to : &t->from, true);
}

/* Keys --------------------------------------------------------------------- */

/* Conditions of is: and has:, by their word. */
struct word_sql {
	const char *word, *story, *epic;
};

#define IN_PROJECT "b join story t on t.id = b.story_id where t.project_id = $1::bigint"

static const struct word_sql conditions[] = {
	{ "blocked", "exists (select from blocker b where b.story_id = s.id and not b.resolved)",
		NULL },
	{ "following", "{me} = any(s.follower_ids)", "{me} = any(e.follower_ids)" },
	{ "label", "s.label_ids <> '{}'", NULL },
	{ "owner", "s.owner_ids <> '{}'", NULL },
	{ "external_id", "s.external_id <> ''", NULL },
	{ "blocker", "exists (select from blocker b where b.story_id = s.id)", NULL },
	{ "attachment",
		"s.id in (select x.story_id from search_text x where x.project_id = $1::bigint"
		" and x.source = 'attachment' and x.story_id is not null)",
		NULL },
	{ "epic",
		"s.label_ids && array(select e.label_id from epic e where e.project_id = $1::bigint)",
		NULL },
	{ NULL, NULL, NULL },
};

/* For is:blocking, only unresolved blockers count; blockers name stories of their own project. */
static const char is_blocking[] =
	"s.id in (select unnest(b.blocking_story_ids) from blocker " IN_PROJECT
	" and not b.resolved)";
static const char has_blocking[] =
	"s.id in (select unnest(b.blocking_story_ids) from blocker " IN_PROJECT ")";

/*
 * One row per key: how its values become a parameter, and the condition on it. A key without one
 * for epics only applies to stories.
 */
struct key_sql {
	enum {
		TAKES_TEXT,    /* see `texts` */
		TAKES_NAME,    /* a pattern for ilike */
		TAKES_TEXTS,   /* text[] */
		TAKES_IDS,     /* bigint[] */
		TAKES_LITERAL, /* text */
		TAKES_ESTIMATE,
		TAKES_REVIEW, /* text, and maybe a status */
		TAKES_CONDITION,
		TAKES_DATE, /* of the column */
	} takes;
	const char *story, *epic;
	const char *const *story_texts, *const *epic_texts;
};

#define PEOPLE "(select search_people($1::bigint, %s::text))::bigint[]"
#define HAS_REVIEW "exists (select from review v where v.story_id = s.id and "

static const struct key_sql keys[SEARCH__KEYS] = {
	[SEARCH_TEXT] = { TAKES_TEXT, .story_texts = in_story, .epic_texts = in_epic },
	[SEARCH_NAME] = { TAKES_TEXT, .story_texts = in_name, .epic_texts = in_epic_name },
	[SEARCH_LABEL] = { TAKES_NAME,
		"s.label_ids && array(select l.id from label l where l.project_id = $1::bigint"
		" and l.name ilike %s::text)",
		"e.label_id = any(array(select l.id from label l where l.project_id = $1::bigint"
		" and l.name ilike %s::text))" },
	[SEARCH_EPIC] = { TAKES_NAME,
		"s.label_ids && array(select e.label_id from epic e where e.project_id = $1::bigint"
		" and e.name ilike %s::text)",
		"e.name ilike %s::text" },
	[SEARCH_TYPE] = { TAKES_TEXTS, "s.story_type = any(%s::text[])" },
	[SEARCH_STATE] = { TAKES_TEXTS,
		"s.section = any(array(select story_section(x) from unnest(%s::text[]) x))"
		" and s.current_state = any(%s::text[])" },
	[SEARCH_ESTIMATE] = { TAKES_ESTIMATE, "s.estimate = %s::double precision" },
	[SEARCH_REQUESTER] = { TAKES_LITERAL, "s.requested_by_id = any(" PEOPLE ")" },
	[SEARCH_OWNER] = { TAKES_LITERAL, "s.owner_ids && " PEOPLE },
	[SEARCH_MYWORK] = { TAKES_LITERAL, "s.section = 1 and s.owner_ids && " PEOPLE },
	[SEARCH_REVIEWER] = { TAKES_LITERAL, HAS_REVIEW "v.reviewer_id = any(" PEOPLE "))" },
	[SEARCH_REVIEW] = { TAKES_REVIEW,
		HAS_REVIEW
		"v.review_type_id = any(array(select t.id from review_type t"
		" where t.project_id = $1::bigint and lower(t.name) = lower(%s::text)))" },
	[SEARCH_REVIEW_STATUS] = { TAKES_LITERAL, HAS_REVIEW "v.status = %s::text)" },
	[SEARCH_IS] = { TAKES_CONDITION },
	[SEARCH_HAS] = { TAKES_CONDITION },
	[SEARCH_ID] = { TAKES_IDS, "s.id = any(%s::bigint[])", "e.id = any(%s::bigint[])" },
	[SEARCH_EXTERNAL_ID] = { TAKES_TEXTS,
		"s.external_id is not null and lower(s.external_id)"
		" = any(array(select lower(x) from unnest(%s::text[]) x))" },
	[SEARCH_INTEGRATION] = { TAKES_TEXTS,
		"s.integration_id = any(array(select i.id from integration i"
		" join unnest(%s::text[]) x on lower(x) = lower(i.name)"
		" where i.project_id = $1::bigint))" },
	[SEARCH_CREATED] = { TAKES_DATE, "s.created_at", "e.created_at" },
	[SEARCH_UPDATED] = { TAKES_DATE, UPDATED, "e.updated_at" },
	[SEARCH_ACCEPTED] = { TAKES_DATE, "s.accepted_at" },
};

/* The condition of an is: or has: term; null: none for epics. */
static const char *condition_of(const struct search_node *t, bool of_epics)
{
	const struct word_sql *c = conditions;
	struct str word = t->values->text;
	if (str_equal_z(word, "blocking"))
		return of_epics ? NULL : t->key == SEARCH_IS ? is_blocking : has_blocking;
	while (c->word && !str_equal_z(word, c->word))
		c++;
	return of_epics ? c->epic : c->story;
}

static void put_review(struct sql *q, const char *text, const struct search_value *v)
{
	sql_put_with(q, text, db_text(q->arena, v->text));
	if (v->next)
		sql_put_with(q, " and v.status = %s::text", db_text(q->arena, v->next->text));
	sql_put(q, ")");
}

static void put_term(struct build *b, const struct search_node *t)
{
	const struct key_sql *k = &keys[t->key];
	const struct search_value *v = t->values;
	const char *text = b->of_epics ? k->epic : k->story;
	struct sql *q = b->sql;
	switch (k->takes) {
	case TAKES_TEXT: put_text(b, b->of_epics ? k->epic_texts : k->story_texts, v); return;
	case TAKES_NAME: sql_put_with(q, text, search_sql_text_name(q->arena, v)); return;
	case TAKES_TEXTS: sql_put_with(q, text, texts_param(q->arena, v)); return;
	case TAKES_IDS: sql_put_with(q, text, ids_param(q->arena, v)); return;
	case TAKES_LITERAL: sql_put_with(q, text, db_text(q->arena, v->text)); return;
	case TAKES_ESTIMATE:
		if (str_equal_z(v->text, "none"))
			sql_put(q, "s.estimate is null");
		else
			sql_put_with(q, text, db_text(q->arena, v->text));
		return;
	case TAKES_REVIEW: put_review(q, text, v); return;
	case TAKES_CONDITION: sql_put(q, condition_of(t, b->of_epics)); return;
	case TAKES_DATE: put_date(b, text, t); return;
	}
}

/* Trees -------------------------------------------------------------------- */

/* Null is not true: a story without an estimate has not estimate:3, so has -estimate:3. */
static void put_node(struct build *b, const struct search_node *n)
{
	sql_put(b->sql, "(");
	if (n->kind == SEARCH_TERM)
		put_term(b, n);
	for (const struct search_node *c = n->first; c; c = c->next) {
		if (c != n->first)
			sql_put(b->sql, n->kind == SEARCH_OR ? " or " : " and ");
		put_node(b, c);
	}
	sql_put(b->sql, n->kind == SEARCH_NOT ? " is not true)" : ")");
}

/* Whether a term applies to epics. */
static bool is_of_epics(const struct search_node *n)
{
	const struct key_sql *k = &keys[n->key];
	if (n->kind == SEARCH_TERM)
		return k->epic || k->epic_texts ||
			(k->takes == TAKES_CONDITION && condition_of(n, true));
	for (const struct search_node *c = n->first; c; c = c->next)
		if (!is_of_epics(c))
			return false;
	return true;
}

static void put_tree(struct build *b, const struct search *s)
{
	if (!s->root)
		sql_put(b->sql, "(true)");
	else if (b->of_epics && !is_of_epics(s->root))
		sql_put(b->sql, "(false)");
	else
		put_node(b, s->root);
}

void search_sql_put_stories(struct sql *q, const struct search *s)
{
	put_tree(&(struct build){ .sql = q }, s);
}

void search_sql_put_epics(struct sql *q, const struct search *s)
{
	put_tree(&(struct build){ .sql = q, .of_epics = true }, s);
}

void search_sql_put_undone(struct sql *q, int32_t current_day)
{
	sql_put_with(q,
		" and (s.section > 0 or s.accepted_at >= (select local_midnight(%s::date, p.time_zone)"
		" from project p where p.id = $1::bigint))",
		db_date(q->arena, current_day));
}

static bool has_key(const struct search_node *n, enum search_key key)
{
	if (n->kind == SEARCH_TERM)
		return n->key == key;
	for (const struct search_node *c = n->first; c; c = c->next)
		if (has_key(c, key))
			return true;
	return false;
}

bool search_sql_has_done(const struct search *s)
{
	if (s->says_done || !s->root)
		return s->include_done;
	return has_key(s->root, SEARCH_ACCEPTED);
}
