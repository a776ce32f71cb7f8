#include "domain_check.h"

#include <string.h>

#include "model/model.h"

#define FAIL(...) domain_case_fail(k->c, k->line, __VA_ARGS__)
#define SHOW(s) (int)(s).n, (s).p ? (s).p : ""

static struct arena *arena_of(const struct domain_check *k)
{
	return k->play->world->arena;
}

static struct body *parse(struct domain_check *k, struct str text)
{
	return domain_case_json(arena_of(k), k->c, k->line, text);
}

static struct str json_of(struct domain_check *k, const struct field *f, const void *object)
{
	struct buf b = { 0 };
	struct json j;
	json_init(&j, &b);
	object_put(&j, f, object);
	struct str text = arena_str(arena_of(k), buf_str(&b));
	buf_free(&b);
	return text;
}

static const struct field *field_of(const struct resource *of, struct str name)
{
	for (int i = 0; i < of->n_fields; i++) {
		const struct field *f = &of->fields[i];
		if ((f->at || f->flags & F_KEY) && str_equal_z(name, f->name))
			return f;
	}
	return NULL;
}

static void check_values(struct domain_check *k, const struct resource *of, const void *object,
	const struct body *want)
{
	for (const struct body *x = want ? want->first : NULL; x; x = x->next) {
		const struct field *f = field_of(of, x->key);
		if (!f) {
			FAIL("%s has no %.*s", of->kind, SHOW(x->key));
			continue;
		}
		struct str got = json_of(k, f, object);
		if (!domain_values_same(&k->values, x, parse(k, got)))
			FAIL("%s is %.*s", f->name, SHOW(got));
	}
}

/* Refusals ---------------------------------------------------------------------------- */

static void check_problem(struct domain_check *k, struct str rest)
{
	struct str field = domain_case_word(&rest);
	k->saw_problem = k->saw_refusal = true;
	if (!k->problem) {
		FAIL("no such problem");
		return;
	}
	if (!str_equal(field, k->problem->field) || !str_equal(rest, k->problem->text))
		FAIL("the problem is: %.*s %.*s", SHOW(k->problem->field), SHOW(k->problem->text));
	k->problem = k->problem->next;
}

static void check_sentence(struct domain_check *k, struct str want, struct str got)
{
	k->saw_refusal = true;
	if (!str_equal(want, got))
		FAIL("it is: %.*s", SHOW(got));
}

static void check_refused(struct domain_check *k, struct str code)
{
	k->saw_refusal = true;
	if (!str_equal_z(code, err_kinds[k->play->rc].code))
		FAIL("it is %s", k->play->rc ? err_kinds[k->play->rc].code : "allowed");
}

/* Objects -------------------------------------------------------------------------------- */

static const void *find(struct domain_check *k, struct str *rest, const struct resource **of)
{
	const struct domain_kind *kind = domain_world_kind(domain_case_word(rest));
	struct ids ids = domain_case_ids(arena_of(k), domain_case_word(rest));
	if (!kind || ids.n != 1) {
		FAIL("a kind and an id are wanted");
		return NULL;
	}
	*of = kind->of;
	return objects_find(domain_world_list(k->play->world, kind->of), ids.v[0]);
}

static void check_is(struct domain_check *k, struct str rest)
{
	const struct resource *of = k->play->req.route->resource;
	const void *object = k->play->out.subject;
	const struct objects *saved = of ? domain_world_list(k->play->world, of) : NULL;
	if (object && saved && objects_find(saved, object_id(object)))
		object = objects_find(saved, object_id(object));
	if (rest.n && rest.p[0] != '{' && !(object = find(k, &rest, &of))) {
		FAIL("there is none");
		return;
	}
	if (!object || !of)
		FAIL("nothing is answered");
	else
		check_values(k, of, object, parse(k, rest));
}

static void check_gone(struct domain_check *k, struct str rest)
{
	const struct resource *of;
	if (find(k, &rest, &of))
		FAIL("it is there");
}

static void check_tally(struct domain_check *k, struct str rest)
{
	struct str what = arena_printf(arena_of(k), "label %.*s", SHOW(rest));
	const struct resource *of;
	const struct label *l = find(k, &what, &of);
	if (!l)
		FAIL("there is no such label");
	else if (!domain_values_same_tally(&k->values, parse(k, what), l->tally))
		FAIL("it counts otherwise");
}

static void check_ids(struct domain_check *k, struct objects order, struct str rest)
{
	struct arena *a = arena_of(k);
	struct ids got = { 0 }, want = { 0 };
	struct str word;
	for (size_t i = 0; i < order.n; i++)
		got = ids_with(a, got, object_id(order.v[i]));
	while ((word = domain_case_word(&rest)).p) {
		struct ids more = domain_case_ids(a, word);
		for (size_t i = 0; i < more.n; i++)
			want = ids_with(a, want, more.v[i]);
	}
	struct str text = STR("");
	for (size_t i = 0; i < got.n; i++)
		text = arena_printf(a, "%.*s %lld", SHOW(text), (long long)got.v[i]);
	if (!ids_same(got, want))
		FAIL("it is%.*s", SHOW(text));
}

static void check_order(struct domain_check *k, struct str rest)
{
	check_ids(k, domain_world_order(k->play->world, k->batch->project->id, NIL), rest);
}

static void check_epics(struct domain_check *k, struct str rest)
{
	check_ids(k, domain_world_epics(k->play->world, k->batch->project->id), rest);
}

/* Activity and news ------------------------------------------------------------------------- */

static const struct body *text_member(const struct body *object, const char *name)
{
	static const struct body none = { .type = BODY_TEXT, .text = { "", 0 } };
	const struct body *v = body_get(object, name);
	return v ? v : &none;
}

/* "..." at the end: members that are not named may have any value. */
static bool cut_open_end(struct str *rest)
{
	if (rest->n < 3 || memcmp(rest->p + rest->n - 3, "...", 3))
		return false;
	rest->n -= 3;
	*rest = str_trim(*rest);
	return true;
}

static void check_new_values(struct domain_check *k, const struct body *got, struct str rest)
{
	bool is_update = str_equal_z(body_get(got, "change_type")->text, "update");
	const struct body *new = body_get(got, "new_values"),
			  *old = body_get(got, "original_values");
	bool is_open = cut_open_end(&rest);
	const struct body *want = rest.n ? parse(k, rest) : NULL;
	size_t named = is_update ? 0 : 1; /* a new object's values have its id */
	for (const struct body *x = want ? want->first : NULL; x; x = x->next, named++) {
		struct body before = { 0 }, after = *x;
		bool is_pair = is_update && x->type == BODY_ARRAY && x->count == 2;
		if (is_pair) {
			before = *x->first;
			after = *x->first->next;
			before.key = after.key = x->key;
		}
		if (!domain_values_same_member(&k->values, &after, new) ||
			(is_pair && !domain_values_same_member(&k->values, &before, old)))
			FAIL("%.*s differs in %.*s", SHOW(x->key),
				SHOW(body_text(arena_of(k), got)));
	}
	if (want && !is_open && new && named != new->count)
		FAIL("more is told: %.*s", SHOW(body_text(arena_of(k), got)));
}

/* "update story 1 {…}", or the whole change as JSON. */
static void check_change(struct domain_check *k, struct str rest)
{
	const struct body *got = k->change;
	k->saw_change = true;
	if (!got) {
		FAIL("no such change");
		return;
	}
	k->change = got->next;
	if (rest.n && rest.p[0] == '{') {
		if (!domain_values_same(&k->values, parse(k, rest), got))
			FAIL("it is %.*s", SHOW(body_text(arena_of(k), got)));
		return;
	}
	struct str type = domain_case_word(&rest), kind = domain_case_word(&rest);
	struct ids id = domain_case_ids(arena_of(k), domain_case_word(&rest));
	const struct body *got_id = body_get(got, "id");
	if (!str_equal(type, text_member(got, "change_type")->text) ||
		!str_equal(kind, text_member(got, "kind")->text) || id.n != 1 || !got_id ||
		got_id->integer != id.v[0])
		FAIL("the change is %.*s", SHOW(body_text(arena_of(k), got)));
	else
		check_new_values(k, got, rest);
}

/* "story 1", or the whole resource as JSON. */
static void check_resource(struct domain_check *k, struct str rest)
{
	const struct body *got = k->resource;
	k->saw_resource = true;
	if (!got) {
		FAIL("no such resource");
		return;
	}
	k->resource = got->next;
	struct str text = body_text(arena_of(k), got);
	if (rest.n && rest.p[0] == '{') {
		if (!domain_values_same(&k->values, parse(k, rest), got))
			FAIL("it is %.*s", SHOW(text));
		return;
	}
	struct str kind = domain_case_word(&rest);
	struct ids id = domain_case_ids(arena_of(k), rest);
	if (!str_equal(kind, body_get(got, "kind")->text) || id.n != 1 ||
		body_get(got, "id")->integer != id.v[0])
		FAIL("it is %.*s", SHOW(text));
}

static struct str people_text(struct arena *a, struct ids people)
{
	struct str text = STR("");
	for (size_t i = 0; i < people.n; i++)
		text = arena_printf(
			a, "%.*s%s%lld", SHOW(text), i ? "," : "", (long long)people.v[i]);
	return text;
}

/* "2-5 story ownership Ada has made you …", or "nobody". */
static void check_told(struct domain_check *k, struct str rest)
{
	const struct news *n = k->news;
	struct str who = domain_case_word(&rest);
	k->saw_news = true;
	if (str_equal_z(who, "nobody"))
		return;
	struct ids people = domain_case_ids(arena_of(k), who);
	struct str type = domain_case_word(&rest), action = domain_case_word(&rest);
	k->told = n;
	if (!n) {
		FAIL("nobody is told");
		return;
	}
	k->news = n->next;
	bool same = people.n == n->people.n;
	for (size_t i = 0; i < people.n; i++)
		same = same && ids_have(n->people, people.v[i]);
	if (!same || !str_equal_z(type, n->type) || !str_equal_z(action, n->action) ||
		!str_equal(rest, n->message))
		FAIL("told is %.*s %s %s %.*s", SHOW(people_text(arena_of(k), n->people)), n->type,
			n->action, SHOW(n->message));
}

static bool same_with(struct domain_check *k, const struct body *x)
{
	const struct news *n = k->told;
	const struct {
		const char *name;
		int64_t v;
	} numbers[] = { { "story_id", n->story_id }, { "epic_id", n->epic_id },
		{ "comment_id", n->comment_id }, { "attachments", n->attachments } };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (str_equal_z(x->key, numbers[i].name))
			return x->type == BODY_INT && x->integer == numbers[i].v;
	struct str text = str_equal_z(x->key, "context") ? n->context
		: str_equal_z(x->key, "story_name")      ? n->story_name
		: str_equal_z(x->key, "epic_name")       ? n->epic_name
							 : (struct str){ 0 };
	return text.p && x->type == BODY_TEXT && str_equal(x->text, text);
}

static void check_with(struct domain_check *k, struct str rest)
{
	const struct body *want = parse(k, rest);
	if (!k->told)
		FAIL("nothing was told");
	for (const struct body *x = want && k->told ? want->first : NULL; x; x = x->next)
		if (!same_with(k, x))
			FAIL("%.*s differs", SHOW(x->key));
}

static void check_counts(struct domain_check *k, struct str rest)
{
	static const char *const sections[] = { "done", "work", "planned", "backlog", "icebox" };
	const struct body *want = parse(k, rest);
	for (int i = 0; i < SECTIONS && want; i++) {
		const struct body *x = body_get(want, sections[i]);
		if (k->batch->counts[i] != (x ? x->integer : 0))
			FAIL("%s: %lld", sections[i], (long long)k->batch->counts[i]);
	}
}

/* "1 started", or "none". */
static void check_transition(struct domain_check *k, struct str rest)
{
	struct str who = domain_case_word(&rest);
	struct ids id = domain_case_ids(arena_of(k), who);
	bool found = str_equal_z(who, "none");
	k->saw_transition = true;
	for (const struct transition *t = k->batch->transitions; t && id.n; t = t->next)
		if (t->story_id == id.v[0] && str_equal_z(rest, words_story_states[t->state])) {
			found = true;
			k->transitions--;
		}
	if (!found)
		FAIL("no such transition");
}

/* "backlog 3": others make room after story 3. */
static void check_room(struct domain_check *k, struct str rest)
{
	static const char *const sections[] = { "done", "work", "planned", "backlog", "icebox" };
	const struct spread *room = &k->play->room;
	struct str section = domain_case_word(&rest);
	struct ids id = domain_case_ids(arena_of(k), rest);
	if (str_equal_z(section, "none") ? room->wanted
					 : !room->wanted || id.n != 1 || room->id != id.v[0] ||
				!str_equal_z(section, sections[room->section]))
		FAIL("room is %s", room->wanted ? "wanted elsewhere" : "not wanted");
}

/* Lines ---------------------------------------------------------------------------------------- */

static void check_leftovers(struct domain_check *k)
{
	struct arena *a = arena_of(k);
	if (k->saw_change && k->change)
		FAIL("one more change: %.*s", SHOW(body_text(a, k->change)));
	if (k->saw_resource && k->resource)
		FAIL("one more resource: %.*s", SHOW(body_text(a, k->resource)));
	if (k->saw_news && k->news)
		FAIL("one more is told: %.*s %s %s %.*s", SHOW(people_text(a, k->news->people)),
			k->news->type, k->news->action, SHOW(k->news->message));
	if (k->saw_transition && k->transitions)
		FAIL("%zu more transitions", k->transitions);
	if (k->play->rc && k->problem)
		FAIL("one more problem: %.*s %.*s", SHOW(k->problem->field),
			SHOW(k->problem->text));
	k->saw_change = k->saw_resource = k->saw_news = k->saw_transition = false;
}

static void turn_to(struct domain_check *k, const struct batch *b)
{
	const struct domain_play *p = k->play;
	k->batch = b;
	k->activity = (struct activity){ 0 };
	k->change = k->resource = NULL;
	k->news = k->told = NULL;
	k->transitions = 0;
	if (p->rc || !b || !b->n || !b->activity)
		return;
	activity_make(&p->scene, b, &k->activity);
	const struct body *changes = parse(k, k->activity.changes);
	const struct body *resources = parse(k, k->activity.primary_resources);
	k->change = changes ? changes->first : NULL;
	k->resource = resources ? resources->first : NULL;
	k->news = b->news;
	for (const struct transition *t = b->transitions; t; t = t->next)
		k->transitions++;
}

/* The project that the following lines are about. */
static void check_in(struct domain_check *k, struct str rest)
{
	struct ids id = domain_case_ids(arena_of(k), rest);
	check_leftovers(k);
	for (const struct batch *b = k->play->out.batches; b; b = b->next)
		if (b->project && id.n && b->project->id == id.v[0]) {
			turn_to(k, b);
			return;
		}
	FAIL("nothing is told there");
}

static void check_text(struct domain_check *k, struct str want, struct str got)
{
	if (!str_equal(want, got))
		FAIL("it is: %.*s", SHOW(got));
}

/* Directives whose line is compared with one text. */
static bool check_plain(struct domain_check *k, const struct domain_line *line)
{
	const struct outcome *out = &k->play->out;
	const struct {
		const char *word;
		struct str got;
		bool refuses;
	} texts[] = { { "kind", k->activity.kind, false },
		{ "highlight", k->activity.highlight, false },
		{ "message", k->activity.message, false },
		{ "secondary", k->activity.has_secondary ? STR("yes") : STR("no"), false },
		{ "unchanged", k->play->is_idle ? STR("") : STR("it changes something"), false },
		{ "general_problem", out->general_problem, true },
		{ "requirement", out->requirement, true },
		{ "possible_fix", out->possible_fix, true } };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (str_equal_z(line->word, texts[i].word)) {
			(texts[i].refuses ? check_sentence : check_text)(
				k, line->rest, texts[i].got);
			return true;
		}
	return false;
}

void domain_check_line(struct domain_check *k, const struct domain_line *line)
{
	static const struct {
		const char *word;
		void (*check)(struct domain_check *, struct str rest);
	} words[] = { { "problem", check_problem }, { "refused", check_refused },
		{ "is", check_is }, { "gone", check_gone }, { "tally", check_tally },
		{ "order", check_order }, { "epics", check_epics }, { "change", check_change },
		{ "resource", check_resource }, { "told", check_told }, { "with", check_with },
		{ "counts", check_counts }, { "transition", check_transition },
		{ "room", check_room }, { "in", check_in } };
	k->line = line;
	if (check_plain(k, line))
		return;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_equal_z(line->word, words[i].word)) {
			words[i].check(k, line->rest);
			return;
		}
	FAIL("unknown word %.*s", SHOW(line->word));
}

void domain_check_start(
	struct domain_check *k, const struct domain_case *c, struct domain_play *play)
{
	*k = (struct domain_check){ .c = c,
		.play = play,
		.values = { play->world->arena, play->world->now },
		.problem = play->out.problems };
	turn_to(k, play->out.batches);
}

void domain_check_finish(struct domain_check *k)
{
	const struct outcome *out = &k->play->out;
	struct str why = out->problems   ? out->problems->text
		: out->general_problem.p ? out->general_problem
					 : out->requirement;
	k->line = NULL;
	check_leftovers(k);
	if (k->play->rc && !k->saw_refusal)
		FAIL("refused, %s: %.*s", err_kinds[k->play->rc].code, SHOW(why));
	if (!k->play->rc && k->saw_refusal)
		FAIL("it is allowed");
	if (!k->play->rc)
		domain_rules_check(k);
}
