#include "http/standby.h"

#include <string.h>

#include "http/guard.h"
#include "http/route.h"
#include "lib/when.h"
#include "search/search_tree.h"

/* How long reads of a project go straight to the leader, so that one that changes constantly is not
   always read twice. */
enum { STAYS_US = 50 * 1000 };

void standby_open(struct standby *s, const struct conf *conf, const struct db *leader)
{
	if (*conf->database_reads)
		s->db = db_new_standby(leader);
}

static int64_t *until(struct standby *s, int64_t project, bool takes_place)
{
	size_t i = (uint64_t)project % STANDBY_PLACES;
	if (takes_place)
		s->behind[i].project = project;
	return s->behind[i].project == project ? &s->behind[i].until : NULL;
}

static bool is_possible(struct standby *s, const struct req *r)
{
	int64_t project = route_id(r, ":project");
	if (!s || !s->db || r->refused || !r->selection || !str_equal_z(r->method, "GET"))
		return false;
	if (!project && !route_id(r, ":story") && !route_id(r, ":epic"))
		return false;
	const int64_t *late = until(s, project, false);
	if (project && late && when_now() < *late)
		return false;
	return select_is_versioned(r->selection) && db_tend(s->db);
}

bool standby_fits(struct req *r, const struct rows *leader, const struct rows *standby)
{
	static const char *const same[] = { "person_id", "project_id", "role", "is_public",
		"person_updated_at", "token_id", "reach" };
	int version = db_column(leader, "version");
	bool fits = db_count(leader) == db_count(standby) &&
		db_int_or_0(standby, 0, version) >= db_int_or_0(leader, 0, version);
	for (size_t i = 0; fits && i < sizeof same / sizeof *same; i++) {
		int column = db_column(leader, same[i]);
		if (column < 0) /* not every gate asks for a named token */
			continue;
		struct str a = db_text_or_empty(leader, 0, column);
		struct str b = db_text_or_empty(standby, 0, column);
		fits = a.n == b.n && !memcmp(a.p, b.p, a.n);
	}
	r->is_behind = !fits;
	return fits;
}

/* Whether the failure is the standby's own, and not due to the request. */
static bool has_failed(const struct req *r)
{
	enum db_stop stop = db_stopped(r->db);
	const char *state = db_error(r->db)->sqlstate;
	if (stop == DB_STOP_LIMIT)
		return !r->search || !r->search->n_regexes;
	if (stop != DB_GOES_ON || !db_has_failed(r->db))
		return false;
	return !state ||
		(strcmp(state, "57014") && strncmp(state, "54", 2) && strncmp(state, "22", 2));
}

static void begin(struct req *r)
{
	r->leader = r->db;
	r->db = r->standby->db;
	db_name_request(r->db, r->id);
	guard_database(r);
}

static enum standby_use use_of(const struct req *r, enum rc rc)
{
	if (rc && r->is_behind)
		return STANDBY_BEHIND;
	return rc && has_failed(r) ? STANDBY_FAILED : STANDBY_USED;
}

enum rc standby_act(struct req *r)
{
	if (!is_possible(r->standby, r))
		return r->route->act(r);
	const struct req before = *r;
	size_t written = r->out->n;
	begin(r);
	enum rc rc = r->route->act(r);
	enum standby_use use = use_of(r, rc);
	r->standby_use = use;
	if (use == STANDBY_USED)
		return rc;
	if (use == STANDBY_BEHIND && r->project_id)
		*until(r->standby, r->project_id, true) = when_now() + STAYS_US;
	db_end(r->leader);
	standby_end(r);
	standby_let_go(r);
	*r = before;
	r->standby_use = use;
	r->out->n = written;
	return r->route->act(r);
}

void standby_end(struct req *r)
{
	if (r->leader)
		db_end(r->db);
}

void standby_let_go(struct req *r)
{
	if (!r->leader)
		return;
	db_guard(r->db, NULL);
	db_name_request(r->db, NULL);
	r->db = r->leader;
	r->leader = NULL;
}
