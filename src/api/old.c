#include "api/old.h"

#include <limits.h>
#include <string.h>

#include "api/gate.h"
#include "api/old_story.h"
#include "http/guard.h"
#include "http/list.h"
#include "http/old.h"
#include "http/sign_in.h"
#include "lib/sink.h"
#include "old/old_event.h"
#include "old/old_path.h"
#include "store/old_names.h"

enum { BULK_MAX = 100 };

/* Another request of the same caller --------------------------------------------- */

/* It is authorised on its own, and writes to the same output. */
static struct req ask_besides(struct req *r, const char *method, struct str path)
{
	struct req part = { .arena = r->arena,
		.conf = r->conf,
		.crypt = r->crypt,
		.db = r->db,
		.method = str_of(method),
		.token = r->token,
		.login_id = r->login_id,
		.session_id = r->session_id,
		.session = r->session,
		.address = r->address,
		.id = r->id,
		.body = body_new_object(r->arena),
		.out = r->out,
		.json = r->json,
		.status = 200 };
	part.n_segments = uri_split_path(path, part.segments, REQ_SEGMENTS_MAX);
	return part;
}

static enum rc act_besides(struct req *r, struct req *part)
{
	enum rc rc = route_find(part);
	if (!rc) {
		list_check_query(part);
		rc = part->route->act(part);
	}
	r->json = part->json;
	if (part->version)
		r->version = part->version;
	if (rc)
		r->error = part->error;
	db_end(r->db);
	return rc;
}

static struct str path_below(struct req *r, const char *below)
{
	struct str project = old_path_part(r->old.path, r->old.segments, ":project");
	struct str story = old_path_part(r->old.path, r->old.segments, ":story");
	if (!story.p)
		return arena_printf(r->arena, "/projects/%.*s%s", (int)project.n, project.p, below);
	return arena_printf(r->arena, "/projects/%.*s/stories/%.*s%s", (int)project.n, project.p,
		(int)story.n, story.p, below);
}

/* Takes what was written out of the answer: it is for us, not for the client. */
static struct str take_out(struct req *r)
{
	struct str text = arena_str(r->arena, buf_str(r->out));
	struct json json = r->json;
	r->out->n = 0;
	json_init(&r->json, r->out);
	r->json.limit = json.limit;
	r->json.held = json.held;
	return text;
}

/* Delivering ----------------------------------------------------------------------- */

static void add_param(struct req *part, const char *name, struct str value)
{
	struct uri_param *p = arena_alloc(part->arena, sizeof *p);
	*p = (struct uri_param){ str_of(name), value, part->params };
	part->params = p;
}

static enum rc find_finished(struct req *r, struct body **ids)
{
	struct req part = ask_besides(r, "GET", path_below(r, "/stories"));
	struct route all;
	add_param(&part, "with_state", STR("finished"));
	add_param(&part, "fields", STR("id"));
	enum rc rc = route_find(&part);
	if (rc)
		return rc;
	all = *part.route;
	all.limit = all.limit_max = INT_MAX;
	part.route = &all;
	list_check_query(&part);
	rc = all.act(&part);
	r->json = part.json;
	db_end(r->db);
	*ids = body_parse_own(r->arena, take_out(r));
	return rc;
}

/* The body of a bulk change of the next stories; moves *at past them. */
static struct body *next_bulk(struct arena *a, const struct body **at)
{
	struct body *body = body_new_object(a), *ids = body_new_array(a),
		    *changes = body_new_object(a);
	for (int i = 0; *at && i < BULK_MAX; i++, *at = (*at)->next)
		body_append(ids, (struct str){ 0 }, body_new_int(a, body_get(*at, "id")->integer));
	body_append(changes, STR("current_state"), body_new_text(a, STR("delivered")));
	body_append(body, STR("ids"), ids);
	body_append(body, STR("changes"), changes);
	return body;
}

/* Joins lists that were written one after the other. */
static void join(struct req *r, size_t from)
{
	if (from == 0 || from >= r->out->n)
		return;
	r->out->p[from - 1] = ',';
	memmove(r->out->p + from, r->out->p + from + 1, r->out->n - from - 1);
	r->out->n--;
}

/* Changes stories in bulk, a hundred at a time; each time is one version. */
static enum rc deliver(struct req *r)
{
	struct body *found = NULL;
	enum rc rc = gate_pass_alone(r);
	if (rc || (rc = find_finished(r, &found)))
		return rc;
	const struct body *at = found ? found->first : NULL;
	if (!at)
		json_raw(&r->json, STR("[]"));
	while (at && !rc) {
		size_t from = r->out->n;
		struct req part = ask_besides(r, "PUT", path_below(r, "/stories/bulk"));
		part.params = r->params;
		part.body = next_bulk(r->arena, &at);
		part.json.comma = false;
		rc = act_besides(r, &part);
		if (!rc)
			join(r, from);
		if (guard_is_over(r))
			return RC_UNAVAILABLE;
	}
	return rc;
}

/* Attaching ------------------------------------------------------------------------ */

/* Attaches the uploaded file to a new comment; the answer describes the file. */
static enum rc attach(struct req *r)
{
	const struct body *file = body_parse_own(r->arena, take_out(r)), *id = body_get(file, "id");
	struct req part = ask_besides(r, "POST", path_below(r, "/comments"));
	struct body *ids = body_new_array(r->arena);
	if (!id)
		return RC_UNHANDLED_CONDITION;
	body_append(ids, (struct str){ 0 }, body_new_int(r->arena, id->integer));
	body_append(part.body, STR("file_attachment_ids"), ids);
	db_end(r->db);
	enum rc rc = act_besides(r, &part);
	if (rc)
		return rc;
	take_out(r);
	json_object(&r->json);
	json_put_int(&r->json, "id", id->integer);
	json_object_end(&r->json);
	return RC_OK;
}

static enum rc attach_there(struct req *r, struct sink *to)
{
	enum rc rc = r->old.make(r, to);
	return rc ? rc : attach(r);
}

static enum rc send_and_attach(struct req *r)
{
	enum rc rc = r->old.act(r);
	if (rc)
		return rc;
	if (!r->stream.make)
		return attach(r);
	r->old.make = r->stream.make;
	r->stream.make = attach_there;
	return RC_OK;
}

/* Activities ----------------------------------------------------------------------- */

/* Looks up the names that the list of activities needs. */
static enum rc tell(struct req *r)
{
	struct arena own = { 0 };
	struct ids people = { 0 }, labels = { 0 };
	struct str object;
	enum rc rc = r->old.act(r);
	if (rc)
		return rc;
	for (size_t at = 0; json_next(buf_str(r->out), &at, &object); arena_reset(&own))
		old_event_ids(r->arena, body_parse_own(&own, object), &people, &labels);
	arena_free(&own);
	const struct db_param params[] = { db_ids(r->arena, people.v, people.n),
		db_ids(r->arena, labels.v, labels.n) };
	struct rows *rows;
	if (people.n + labels.n == 0)
		return RC_OK;
	db_end(r->db);
	if ((rc = sign_in_ask(r, STMT_OLD_NAMES, 2, params, &rows)))
		return rc;
	struct old_names *names = arena_alloc(r->arena, sizeof *names);
	old_names_take(r->arena, rows, names);
	r->old.names = names;
	return RC_OK;
}

/* Beginning ------------------------------------------------------------------------ */

enum rc old_begin(struct req *r)
{
	enum rc rc = old_find(r);
	if (rc)
		return rc;
	struct route *route = arena_alloc(r->arena, sizeof *route);
	*route = *r->route;
	r->old.act = route->act;
	switch (r->old.path->act) {
	case OLD_DELIVERS: route->act = deliver; break;
	case OLD_ATTACHES: route->act = send_and_attach; break;
	case OLD_TELLS: route->act = tell; break;
	default:
		if (r->old.path->body)
			route->act = old_story_write;
	}
	r->route = route;
	return RC_OK;
}
