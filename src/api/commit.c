/* POST /source_commits: stories of several projects, each a change of its own. */
#include "domain/commit.h"

#include <stdlib.h>

#include "api/command.h"
#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "domain/activity.h"
#include "http/bind.h"
#include "model/model.h"
#include "store/save.h"

/* The body ----------------------------------------------------------------------- */

static const struct field fields[] = {
	{ "commit_id", FT_STRING, F_CREATE | F_REQUIRED, AT(commit, commit_id), .max = 255,
		.doc = "The commit; may be empty." },
	{ "message", FT_TEXT, F_CREATE | F_REQUIRED, AT(commit, message), .max = 100000,
		.doc = "[#ID] links a story, [Fixes #ID] finishes it, [Delivers #ID] delivers it." },
	{ "url", FT_STRING, F_CREATE, AT(commit, url), .max = 2000,
		.doc = "Where the commit can be seen." },
	{ "author", FT_STRING, F_CREATE, AT(commit, author), .max = 255,
		.doc = "A member of this name becomes the author of the comments." },
	{ "repo", FT_STRING, F_CREATE, .max = 255, .doc = "The repository." },
};
static const struct resource res_commit = { "source_commit", RESOURCE_FIELDS(fields),
	.size = sizeof(struct commit) };

static const struct field body_fields[] = {
	{ "source_commit", FT_OBJECT, F_CREATE | F_REQUIRED, AT(commit_wish, source_commit),
		.child = &res_commit, .doc = "The commit." },
};
static const struct resource res_body = { "source_commit", RESOURCE_FIELDS(body_fields),
	.size = sizeof(struct commit_wish) };

/* Who, and where ----------------------------------------------------------------- */

struct home {
	int64_t story, project;
	struct member *me; /* the caller as a member of the project */
};

struct run {
	struct req *r;
	const struct commit *commit;
	struct commit_stories named;
	struct db_param who[4]; /* parameters of the gate; the next statement takes the last two */
	struct member *me;
	struct home *places;
	size_t n;
	struct save save;
	struct news *news, **end; /* of all stories */
	struct ids changed;
};

static void begin(struct run *x)
{
	struct req *r = x->r;
	struct str roles[3];
	int64_t *ids = arena_array(r->arena, x->named.n, sizeof *ids);
	for (size_t i = 0; i < x->named.n; i++)
		ids[i] = x->named.v[i].id;
	x->who[0] = req_token_param(r);
	x->who[1] = db_int_or_null(r->arena, r->login_id, 0);
	x->who[2] = db_ids(r->arena, ids, x->named.n);
	x->who[3] = db_texts(r->arena, roles, gate_roles(NEED_MEMBER, roles));
}

static enum rc take_caller(struct run *x, struct ids *projects)
{
	struct req *r = x->r;
	struct rows *rows;
	enum rc rc = req_next(r, &rows);
	if (rc)
		return rc;
	struct caller caller = gate_take_caller(r, rows);
	struct db_array array = db_array(rows, 0, db_column(rows, "projects"));
	int64_t *v = arena_array(r->arena, (size_t)array.left, sizeof *v);
	*projects = (struct ids){ v, 0 };
	while (db_array_next_int(&array, &v[projects->n]))
		projects->n++;
	x->me = load_me(r->arena, rows, (struct str){ 0 });
	gate_tell_caller(r);
	return gate_may(r, r->route->need, &caller);
}

/* False: a story moved meanwhile to a project that is not locked. */
static bool take_places(struct run *x, const struct rows *rows, struct ids projects)
{
	int id = db_column(rows, "id"), project = db_column(rows, "project_id"),
	    role = db_column(rows, "role");
	x->places = arena_array(x->r->arena, (size_t)db_count(rows), sizeof *x->places);
	for (x->n = 0; x->n < (size_t)db_count(rows); x->n++) {
		struct home *p = &x->places[x->n];
		p->story = db_get_int(rows, (int)x->n, id);
		p->project = db_get_int(rows, (int)x->n, project);
		struct str word = db_get_text(rows, (int)x->n, role);
		p->me = arena_alloc(x->r->arena, sizeof *p->me);
		*p->me = *x->me;
		p->me->role = words_find(words_roles, word.p, word.n);
		if (!ids_have(projects, p->project))
			return false;
	}
	return true;
}

static enum rc enter(struct run *x)
{
	enum { TRIES = 30 };
	struct req *r = x->r;
	struct ids projects;
	struct rows *rows;
	for (int i = 0; i < TRIES; i++) {
		gate_tell_caller(r);
		db_send(r->db, STMT_GATE_COMMIT, 4, x->who);
		db_send(r->db, STMT_COMMIT_STORIES, 2, x->who + 2);
		db_flush(r->db);
		enum rc rc = take_caller(x, &projects);
		if (rc)
			return rc;
		if ((rc = req_next(r, &rows)))
			return rc;
		if (r->refused)
			return r->refused;
		if (take_places(x, rows, projects))
			return RC_OK;
		db_end(r->db); /* releases the locks, too */
	}
	return RC_UNAVAILABLE;
}

/* A story ------------------------------------------------------------------------- */

static int compare(const void *id, const void *named)
{
	int64_t a = *(const int64_t *)id, b = ((const struct commit_story *)named)->id;
	return a < b ? -1 : a > b;
}

static int state_asked(const struct run *x, int64_t story)
{
	const struct commit_story *named =
		bsearch(&story, x->named.v, x->named.n, sizeof *named, compare);
	return named->state;
}

static void load(struct run *x, struct load *l, const struct home *place, struct objects *authors)
{
	struct arena *a = x->r->arena;
	struct scene *s = l->scene;
	struct str text = commit_text(a, x->commit);
	load_project(l);
	load_story(l, place->story, true);
	if (x->commit->commit_id.n) {
		const struct db_param params[] = { l->story, db_text(a, x->commit->commit_id) };
		load_ask(l, STMT_LOAD_COMMIT_COMMENTS, 2, params, &res_comment, &s->comments);
	}
	if (state_asked(x, place->story) != WORD_NONE) {
		load_labels_of_story(l);
		load_order(l, place->story, NIL);
		load_ask(l, STMT_LOAD_BLOCKERS_ON, 1, &l->story, &res_blocker, &s->waiting);
		load_ask(l, STMT_LOAD_STORIES_BLOCKED, 1, &l->story, &res_story, &s->stories);
	}
	if (x->commit->author.n) {
		const struct db_param params[] = { l->project, db_text(a, x->commit->author) };
		load_ask(l, STMT_LOAD_COMMIT_AUTHOR, 2, params, &res_member, authors);
	}
	load_members(l, (struct ids){ 0 }, (struct strs){ &text, 1 }, true, (struct ids){ 0 });
	load_new_ids(l, &res_comment, 1);
	db_flush(x->r->db);
}

/* The answers for stories that were saved before come first. */
static enum rc look(
	struct run *x, struct load *l, const struct home *place, struct objects *authors)
{
	struct req *r = x->r;
	struct scene *s = l->scene;
	load(x, l, place, authors);
	enum rc rc = save_take(&x->save);
	if (!rc)
		rc = load_take(l);
	if (rc)
		return req_fail_db(r, rc);
	s->story = objects_find(&s->stories, place->story);
	for (size_t i = 0; i < authors->n; i++)
		objects_add(r->arena, &s->members, authors->v[i]);
	return s->story && s->project ? RC_OK : RC_UNFOUND_RESOURCE;
}

static void keep(struct run *x, struct outcome *out)
{
	for (struct batch *b = out->batches; b; b = b->next) {
		out->batch = b;
		news_gather(out);
	}
	if (!outcome_settle(out))
		return;
	x->changed = ids_with(x->r->arena, x->changed, out->scene->story->id);
	save_batches(&x->save, out);
	*x->end = outcome_news(out);
	while (*x->end)
		x->end = &(*x->end)->next;
}

static enum rc apply(struct run *x, const struct home *place, struct scene *s)
{
	struct req *r = x->r;
	struct objects authors = { 0 };
	struct outcome out;
	struct load l = { .arena = r->arena,
		.db = r->db,
		.scene = s,
		.project = db_int(r->arena, place->project),
		.story = db_int(r->arena, place->story),
		.epic = db_null() };
	*s = (struct scene){ .arena = r->arena, .me = place->me };
	enum rc rc = look(x, &l, place, &authors);
	if (rc)
		return rc;
	outcome_init(&out, s, "comment_create");
	rc = commit_apply(&out, x->commit, state_asked(x, place->story),
		authors.n ? object_id(authors.v[0]) : NIL);
	if (rc)
		return command_refuse(r, &out, rc);
	keep(x, &out);
	return RC_OK;
}

/* All of them ------------------------------------------------------------------------ */

static enum rc finish(struct run *x, const struct scene *last)
{
	struct req *r = x->r;
	struct db_param ids = db_ids(r->arena, x->changed.v, x->changed.n);
	if (x->n)
		save_news(&x->save, last->me->id, last->now, x->news);
	db_send(r->db, r->route->read, 1, &ids);
	crud_flush(r);
	enum rc rc = save_take(&x->save);
	return rc ? req_fail_db(r, rc) : crud_answer_list(r);
}

static enum rc take_commit(struct req *r)
{
	static const struct commit none;
	struct run x = { .r = r, .commit = &none };
	struct scene *s = arena_alloc(r->arena, sizeof *s);
	x.end = &x.news;
	x.save = (struct save){ .arena = r->arena, .db = r->db, .mail = conf_has_mail(r->conf) };
	bind_check(r, r->route->body, F_CREATE, NULL);
	if (!r->refused) {
		const struct commit_wish *w =
			wish_read(r->arena, r->route->body, r->body, F_CREATE)->object;
		x.commit = w->source_commit->object;
		x.named = commit_read(r->arena, x.commit->message);
	}
	begin(&x);
	enum rc rc = enter(&x);
	for (size_t i = 0; i < x.n && !rc; i++)
		rc = apply(&x, &x.places[i], s);
	return rc ? rc : finish(&x, s);
}

const struct route commit_routes[] = {
	{ "POST", "/source_commits", NEED_PERSON, take_commit, &res_story,
		.read = STMT_SOURCE_COMMIT_STORIES, .body = &res_body,
		.flags = R_QUIET | R_UNTOLD | R_LIST,
		.example =
			"{\"source_commit\":{\"commit_id\":\"3f2a9c\",\"message\":\"[Finishes #555] Beds are dug\",\"url\":\"https://git.example.com/3f2a9c\",\"author\":\"Ada\"}}",
		.audit = AUDIT_UNTOLD,
		.doc = "Report a commit; adds comments to the stories that its message names." },
	{ 0 },
};
