/*
 * Live updates: a worker checks the rights and hands the client, with a ticket, over to
 * planwright-live(8), which keeps the stream. The web server does the rest (X-Accel-Redirect), so
 * no worker is held.
 */
#include <string.h>

#include "api/gate.h"
#include "api/routes.h"
#include "http/bind.h"
#include "http/list.h"
#include "lib/when.h"
#include "model/words.h"
#include "service/ticket.h"

#define HAND_OVER "/-/stream/"

static const struct param live_params[] = {
	{ "projects", FT_IDS, .min = 0, .max = TICKET_PLACES_MAX,
		.doc = "Ids of the projects to listen to, at most 100; none: only notifications." },
	{ "presence", FT_BOOL,
		.doc = "true: also who looks at the stories of these projects, where the caller is "
		       "one of their people." },
	{ 0 },
};

/* Refuses if clients cannot be handed over here; only callers whom the gate lets in see that. */
static void check_way(struct req *r)
{
	const char *path = conf_live(r->conf);
	const struct hint_target live = hint_target(path);
	if (!path || !r->may_hand_over) {
		req_fail(r, RC_ROUTE_NOT_FOUND, "This server sends no live updates.");
		r->error.possible_fix = STR("Poll the activity of projects instead.");
		req_refuse(r, RC_ROUTE_NOT_FOUND);
	} else if (!hint_has_listener(&live)) {
		req_refuse(r,
			req_fail(r, RC_UNAVAILABLE,
				"planwright-live, which sends the live updates, is not running."));
	}
}

/* Here an id beyond 64 bits is no project (0); lists leave them out. */
static struct db_param wanted_ids(struct req *r)
{
	const struct uri_param *given = uri_find(r->params, "projects");
	struct str rest = given ? given->value : (struct str){ 0 };
	int64_t *ids = arena_array(r->arena, TICKET_PLACES_MAX, sizeof *ids);
	size_t n = 0;
	while (rest.n && n < TICKET_PLACES_MAX) {
		if (!str_to_int(str_trim(str_cut(&rest, ',')), &ids[n]))
			ids[n] = 0;
		n++;
	}
	return db_ids(r->arena, ids, n);
}

static enum rc take_places(struct req *r, const struct rows *rows, struct ticket *t)
{
	int n = db_count(rows);
	const struct body *presence = list_value(r, "presence");
	t->places = arena_array(r->arena, (size_t)n + 1, sizeof *t->places);
	for (int i = 0; i < n; i++) {
		int64_t id = db_get_int(rows, i, 0);
		if (db_is_null(rows, i, 1))
			return id > 0 ? req_fail(r, RC_UNFOUND_RESOURCE,
						"There is no project %lld.", (long long)id)
				      : req_fail(r, RC_UNFOUND_RESOURCE,
						"'projects' contains something that is not a "
						"project's id.");
		if (!db_get_bool(rows, i, 2))
			return req_fail(r, RC_UNAUTHORIZED_OPERATION,
				"You aren't authorized to access the project %lld.", (long long)id);
		t->places[t->n_places++] = (struct ticket_place){ id, db_get_int(rows, i, 1),
			presence && presence->boolean && db_get_bool(rows, i, 3) };
	}
	return RC_OK;
}

/* Which credentials the client has used, so that planwright-live notices when they end. */
static void put_credential(struct req *r, struct ticket *t)
{
	if (r->session_id) {
		t->by = TICKET_BY_SESSION;
		t->credential = (uint64_t)r->session_id;
	} else if (r->named.id) {
		t->by = TICKET_BY_TOKEN;
		t->credential = (uint64_t)r->named.id;
	} else {
		struct str mac = req_token_mac(r);
		t->by = TICKET_BY_API_TOKEN;
		for (int i = 0; i < 8; i++)
			t->credential = t->credential << 8 | (unsigned char)mac.p[i];
	}
}

static enum rc ask(struct req *r, struct ticket *t)
{
	struct rows *places, *unread;
	const struct db_param ids = wanted_ids(r);
	db_send(r->db, STMT_LIVE_OPEN, 1, &ids);
	db_send(r->db, STMT_LIVE_UNREAD, 0, NULL);
	db_commit(r->db);
	enum rc rc = gate_allows(r);
	if (rc || (rc = req_next(r, &places)) || (rc = req_next(r, &unread)))
		return rc;
	t->unread = db_get_int(unread, 0, 0);
	rc = take_places(r, places, t);
	if (!rc && (rc = db_finish(r->db)))
		return req_fail_db(r, rc);
	return rc;
}

static enum rc open_stream(struct req *r)
{
	struct ticket t = { 0 };
	list_check_params(r);
	if (!r->refused)
		check_way(r);
	enum rc rc = gate_ask(r);
	if (!rc)
		rc = ask(r, &t);
	if (rc)
		return rc;
	t.person = r->person_id;
	t.network = ticket_network(r->arena, r->address);
	t.end_ms = when_millis(when_now()) + TICKET_MS;
	put_credential(r, &t);
	struct str text = ticket_write(r->crypt, r->arena, &t);
	r->handed_to = arena_printf(r->arena, HAND_OVER "%.*s", (int)text.n, text.p);
	return RC_OK;
}

/* Who looks at a story --------------------------------------------------------------------- */

static const struct field presence_fields[] = {
	{ "state", FT_WORD, F_UPDATE | F_MUST, .words = hint_presences,
		.doc = "What the caller does at the story: `looking`, `typing`, or `gone`." },
};
static const struct resource res_presence = { "presence", RESOURCE_FIELDS(presence_fields) };

static enum rc tell_presence(struct req *r)
{
	bind_check(r, r->route->body, F_UPDATE, NULL);
	if (!conf_live(r->conf) && !r->refused)
		req_refuse(
			r, req_fail(r, RC_ROUTE_NOT_FOUND, "This server sends no live updates."));
	enum rc rc = gate_pass_alone(r);
	if (rc)
		return rc;
	const struct body *state = body_get(r->body, "state");
	const struct hint h = { .kind = HINT_PRESENCE,
		.presence = (enum hint_presence)words_find(
			hint_presences, state->text.p, state->text.n),
		.id = r->project_id,
		.story = route_id(r, ":story"),
		.person = r->person_id };
	db_tell_hint(r->db, &h);
	r->status = 204;
	return RC_OK;
}

const struct route live_routes[] = {
	{ "GET", "/live", NEED_PERSON, open_stream, NULL, .params = live_params,
		.flags = R_QUIET | R_NOT_IN_PARTS, .media = "text/event-stream",
		.fetch = FETCH_SCRIPT, .example = "?projects=99",
		.doc = "Changes as they happen, as server-sent events." },
	{ "PUT", "/projects/:project/stories/:story/presence", NEED_PARTICIPANT, tell_presence,
		NULL, .body = &res_presence, .flags = R_READS | R_NOT_IN_PARTS, .scope = SCOPE_READ,
		.example = "{\"state\":\"looking\"}",
		.doc = "Tell those who listen to live updates that the caller looks at a story." },
	{ 0 },
};
