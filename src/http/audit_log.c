#include "http/audit_log.h"

#include "http/route.h"
#include "lib/log.h"
#include "store/audit.h"

/* How the caller has proved who they are. */
static struct str means_of(const struct req *r)
{
	if (r->means.p)
		return r->means;
	return r->session_id ? STR("session") : r->login_id ? STR("password") : STR("api_token");
}

static struct audit_who *who_of(struct req *r, int64_t person, struct str means)
{
	struct audit_who *who = arena_alloc(r->arena, sizeof *who);
	*who = (struct audit_who){ .person = person ? person : NIL,
		.means = means,
		.token = NIL,
		.address = r->address,
		.request = str_of(r->id),
		.acts = r->route->audit };
	return who;
}

const struct audit_who *audit_log_who(struct req *r)
{
	struct audit_who *who = who_of(r, r->means.p ? 0 : r->person_id, means_of(r));
	who->token = r->named.id ? r->named.id : NIL;
	who->is_agent = r->agent_token.p;
	if (who->is_agent)
		who->acts |= AUDIT_TELLS(TOOL_USE);
	return who;
}

void audit_log_send(struct req *r, const struct audit_entry *e)
{
	audit_send(r->arena, r->db, audit_log_who(r), e);
}

enum rc audit_log_take(struct req *r)
{
	struct rows *rows;
	return req_next(r, &rows);
}

enum rc audit_log_ask(
	struct req *r, enum stmt stmt, int n, const struct db_param *params, struct rows **rows)
{
	db_send(r->db, stmt, n, params);
	db_flush(r->db);
	return req_next(r, rows);
}

/* Ends the transaction, in which n_told entries are queued. */
static enum rc end(struct req *r, int n_told)
{
	enum rc rc = RC_OK;
	db_commit(r->db);
	for (int i = 0; i < n_told && !rc; i++)
		rc = audit_log_take(r);
	if (rc)
		return rc;
	rc = db_finish(r->db);
	return rc ? req_fail_db(r, rc) : RC_OK;
}

enum rc audit_log_end(struct req *r, const struct audit_entry *e)
{
	if (e)
		audit_log_send(r, e);
	return end(r, e ? 1 : 0);
}

enum rc audit_log_delete(struct req *r, enum stmt stmt, int n, const struct db_param *params,
	struct audit_entry (*told)(struct req *, const struct rows *))
{
	struct rows *rows;
	r->status = 204;
	enum rc rc = audit_log_ask(r, stmt, n, params, &rows);
	if (rc)
		return rc;
	if (db_count(rows) == 0) {
		rc = audit_log_end(r, NULL);
		return rc ? rc : RC_UNFOUND_RESOURCE;
	}
	const struct audit_entry e = told(r, rows);
	return audit_log_end(r, &e);
}

enum rc audit_log_end_all_as(
	struct req *r, int64_t person, struct str means, const struct audit_entry *entries, int n)
{
	for (int i = 0; i < n; i++)
		audit_send(r->arena, r->db, who_of(r, person, means), &entries[i]);
	return end(r, n);
}

enum rc audit_log_end_as(
	struct req *r, int64_t person, struct str means, const struct audit_entry *e)
{
	return audit_log_end_all_as(r, person, means, e, e ? 1 : 0);
}

void audit_log_send_refused(struct req *r, const struct audit_log_refusal *x)
{
	struct arena *a = r->arena;
	const struct db_param params[] = { db_int_or_null(a, x->person, 0), db_text(a, x->means),
		db_text(a, r->address), db_text(a, str_of(r->id)), db_text(a, x->nobody),
		db_text(a, audit_text(a, "reason", x->reason)) };
	db_send(r->db, STMT_AUDIT_REFUSED, 6, params);
}

enum rc audit_log_refused(struct req *r, const struct audit_log_refusal *x)
{
	audit_log_send_refused(r, x);
	return end(r, 1);
}

void audit_log_print(struct req *r, struct db *db)
{
	bool tells = r->tells_sign_in ||
		(r->route && r->route->audit && r->route->audit != AUDIT_UNTOLD);
	struct rows *rows;
	if (!r->conf->audit_log || !tells || !r->id)
		return;
	const struct db_param params[] = { db_text(r->arena, str_of(r->id)),
		db_int(r->arena, AUDIT_OF_REQUEST_S) };
	db_send(db, STMT_AUDIT_OF_REQUEST, 2, params);
	db_commit(db);
	if (db_next(db, &rows) || db_finish(db)) {
		log_warn("what this request wrote to the audit log could not be read for the log");
	} else {
		audit_log_lines(r->arena, rows);
	}
	db_end(db);
}
