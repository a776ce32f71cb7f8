#include "api/oidc_person.h"

#include <string.h>

#include "domain/person.h"
#include "http/sign_in.h"
#include "http/audit_log.h"
#include "model/model.h"

enum { TRIES = 3 };

/* An address that the provider confirms; absent: none. */
static struct str address_of(const struct id_token *t)
{
	return t->email_verified && t->email.p && person_is_address(t->email) ? t->email
									      : (struct str){ 0 };
}

static int64_t get_id(const struct rows *rows, const char *column)
{
	return db_int_or_0(rows, 0, db_column(rows, column));
}

static bool is_true(const struct rows *rows, const char *column)
{
	int at = db_column(rows, column);
	return !db_is_null(rows, 0, at) && db_get_bool(rows, 0, at);
}

static struct identity_scene take_scene(
	const struct rows *rows, const struct conf_oidc *conf, const struct id_token *t)
{
	return (struct identity_scene){
		.is_allowed = !*conf->allowed || id_token_has(t, str_of(conf->allowed)),
		.owner = get_id(rows, "owner_id"),
		.owner_disabled = is_true(rows, "owner_disabled"),
		.has_address = address_of(t).p,
		.addressee = get_id(rows, "address_id"),
		.addressee_claims = is_true(rows, "address_claimed"),
		.addressee_closed = is_true(rows, "address_closed"),
		.addressee_invited = is_true(rows, "address_invited"),
		.same_address = is_true(rows, "address_same"),
		.trusts_address = conf->trust_email,
		.takes_new = conf->new_people && is_true(rows, "has_account"),
		.session_ended = is_true(rows, "session_ended"),
	};
}

enum { FIND_PARAMS = 5 };

static void put_params(struct arena *a, const struct conf_oidc *conf, const struct id_token *t,
	struct db_param params[FIND_PARAMS])
{
	params[0] = db_text(a, str_of(conf->issuer));
	params[1] = db_text(a, t->subject);
	params[2] = db_text(a, address_of(t));
	params[3] = db_int(a, conf->new_people);
	params[4] = db_null();
}

enum rc oidc_person_look(struct arena *a, struct db *db, const struct conf_oidc *conf,
	const struct id_token *t, struct identity_verdict *verdict)
{
	struct db_param params[FIND_PARAMS];
	struct rows *rows;
	put_params(a, conf, t, params);
	enum rc rc = db_run(db, STMT_IDENTITY_FIND, FIND_PARAMS, params, &rows);
	if (!rc) {
		const struct identity_scene scene = take_scene(rows, conf, t);
		*verdict = identity_decide(&scene);
	}
	return rc;
}

/* Changing ------------------------------------------------------------------------- */

static struct db_param session_of(struct arena *a, const struct oidc_flow *flow)
{
	return flow->links ? db_int(a, flow->session) : db_null();
}

/* No row: somebody else was faster. */
static enum rc link_to(struct req *r, const struct conf_oidc *conf, const struct oidc_flow *flow,
	const struct id_token *t, int64_t person, struct rows **rows)
{
	struct arena *a = r->arena;
	const struct db_param params[] = { db_int(a, person), db_text(a, str_of(conf->issuer)),
		db_text(a, t->subject), db_text(a, str_of(conf->name)), db_text(a, t->email),
		session_of(a, flow) };
	return audit_log_ask(r, STMT_IDENTITY_LINK, 6, params, rows);
}

static struct str means_of(struct req *r, const struct conf_oidc *conf)
{
	return arena_printf(r->arena, "provider:%s", conf->name);
}

static enum rc make_new(
	struct req *r, const struct conf_oidc *conf, const struct id_token *t, struct rows **rows)
{
	struct arena *a = r->arena;
	struct str email = address_of(t);
	struct str name = t->name.p ? t->name : person_base(a, email);
	struct str base = person_base(a, t->username.p ? t->username : email);
	const struct db_param params[] = { db_text(a, str_of(conf->issuer)), db_text(a, t->subject),
		db_text(a, str_of(conf->name)), db_text(a, t->email), db_text(a, name),
		db_text(a, person_letters(a, name)), db_text(a, base), db_text(a, email),
		db_int(a, conf->new_people), db_bool(a, conf->trust_email) };
	return audit_log_ask(r, STMT_IDENTITY_NEW, 10, params, rows);
}

/* What has changed to match the provider, as old and new values: at most two entries. */
static int tell_followed(struct req *r, const struct conf_oidc *conf, const struct rows *rows,
	struct audit_entry entries[2])
{
	static const char *const columns[][2] = { { "name", "new_name" },
		{ "email", "new_email" } };
	struct audit_pair pairs[2];
	int n = 0, n_pairs = 0, admin = db_column(rows, "admin");
	for (int i = 0; i < 2; i++) {
		struct str old = arena_str(
			r->arena, db_text_or_empty(rows, 0, db_column(rows, columns[i][0])));
		struct str new = arena_str(
			r->arena, db_text_or_empty(rows, 0, db_column(rows, columns[i][1])));
		if (!str_equal(old, new))
			pairs[n_pairs++] = (struct audit_pair){ columns[i][0], old, new };
	}
	int64_t person = db_get_int(rows, 0, db_column(rows, "person_id"));
	if (n_pairs) {
		entries[n] = audit_entry_of_person(AUDIT_ADDRESS_CHANGE, person);
		audit_pairs(r->arena, &entries[n++], pairs, n_pairs);
	}
	if (!db_is_null(rows, 0, admin)) {
		entries[n] = audit_entry_of_person(AUDIT_ROLE_CHANGE, person);
		audit_switch(r->arena, &entries[n], "admin", db_get_bool(rows, 0, admin));
		entries[n].member = NIL;
		entries[n].accounts = ids_with(r->arena, (struct ids){ 0 }, conf->new_people);
		n++;
	}
	return n;
}

/* found->id becomes 0 if it has been unlinked meanwhile, or the person disabled. */
static enum rc follow(struct req *r, const struct conf_oidc *conf, const struct id_token *t,
	struct oidc_person *found)
{
	struct arena *a = r->arena;
	struct str name = conf->follow ? t->name : (struct str){ 0 };
	struct str email = conf->follow ? address_of(t) : (struct str){ 0 };
	bool tells_admins = *conf->admins;
	const struct db_param params[] = { db_text(a, str_of(conf->issuer)), db_text(a, t->subject),
		db_text(a, str_of(conf->name)), db_text(a, t->email), db_text(a, name),
		db_text(a, name.p ? person_letters(a, name) : name), db_text(a, email),
		tells_admins ? db_bool(a, id_token_has(t, str_of(conf->admins))) : db_null(),
		db_int(a, conf->new_people), db_bool(a, conf->trust_email) };
	struct rows *rows;
	struct audit_entry entries[2];
	enum rc rc = audit_log_ask(r, STMT_IDENTITY_USED, 10, params, &rows);
	if (rc)
		return rc;
	bool is_there = db_count(rows) > 0;
	int64_t person = is_there ? db_get_int(rows, 0, db_column(rows, "person_id")) : 0;
	int n = is_there ? tell_followed(r, conf, rows, entries) : 0;
	found->id = person;
	return audit_log_end_all_as(r, person, means_of(r, conf), entries, n);
}

/* That somebody new is a member of the account. */
static bool tell_membership(
	struct req *r, const struct conf_oidc *conf, int64_t person, struct audit_entry *e)
{
	struct account_membership *m = object_new(r->arena, &res_account_membership);
	m->account_id = conf->new_people;
	m->person_id = person;
	const struct change c = { .of = &res_account_membership, .type = CHANGE_CREATE, .new = m };
	return audit_change(r->arena, &c, e);
}

/* Ends the act; if it was done, the audit log says so. */
static enum rc tell(struct req *r, const struct conf_oidc *conf, const struct oidc_person *found)
{
	bool is_new = found->act == IDENTITY_NEW;
	struct audit_entry entries[2] = { audit_entry_of_person(
		is_new ? AUDIT_PERSON_CREATE : AUDIT_IDENTITY_LINK, found->id) };
	if (!found->id)
		return audit_log_end(r, NULL);
	entries[0].new = audit_text(r->arena, "provider", str_of(conf->name));
	int n = 1 + (is_new && tell_membership(r, conf, found->id, &entries[1]));
	return audit_log_end_all_as(r, found->id, means_of(r, conf), entries, n);
}

/* One attempt: looks the person up and acts on the result. found->id stays 0 if somebody else was
   faster. */
static enum rc try_once(struct req *r, const struct conf_oidc *conf, const struct oidc_flow *flow,
	const struct id_token *t, struct oidc_person *found)
{
	struct db_param params[FIND_PARAMS];
	struct rows *rows;
	put_params(r->arena, conf, t, params);
	params[4] = session_of(r->arena, flow);
	enum rc rc = sign_in_ask(r, STMT_IDENTITY_FIND, FIND_PARAMS, params, &rows);
	if (rc)
		return rc;
	struct identity_scene scene = take_scene(rows, conf, t);
	scene.links = flow->links;
	scene.linker = flow->person;
	struct identity_verdict v = identity_decide(&scene);
	*found = (struct oidc_person){ v.act, 0, v.claimer };
	if (v.act == IDENTITY_SIGN_IN)
		found->id = v.person;
	if (v.act != IDENTITY_LINK && v.act != IDENTITY_NEW)
		return RC_OK;
	rc = v.act == IDENTITY_LINK ? link_to(r, conf, flow, t, v.person, &rows)
				    : make_new(r, conf, t, &rows);
	if (!rc && db_count(rows))
		found->id = db_get_int(rows, 0, 0);
	return rc ? rc : tell(r, conf, found);
}

/* Whether somebody else took the address that was to follow: the next attempt sees that. */
static bool is_taken(struct req *r, enum rc rc)
{
	if (!rc || strcmp(db_error(r->db)->sqlstate, "23505") != 0)
		return false;
	db_end(r->db);
	r->error = (struct req_error){ 0 };
	return true;
}

enum rc oidc_person_find(struct req *r, const struct conf_oidc *conf, const struct oidc_flow *flow,
	const struct id_token *token, struct oidc_person *found)
{
	for (int i = 0; i < TRIES; i++) {
		enum rc rc = try_once(r, conf, flow, token, found);
		if (!rc && found->id && !flow->links &&
			is_taken(r, rc = follow(r, conf, token, found)))
			continue;
		if (rc || found->id || found->act > IDENTITY_NEW)
			return rc;
	}
	return RC_UNAVAILABLE;
}
