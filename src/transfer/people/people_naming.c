#include "transfer/people/people_naming.h"

#include <stdlib.h>

#include "domain/audit.h"
#include "domain/membership.h"
#include "domain/naming.h"
#include "model/model.h"
#include "store/load.h"
#include "store/save.h"

/* Whom it may name ------------------------------------------------------------------------ */

/* What people are to the importer, in the order of their ids. */
struct standing {
	struct namer who;
	int64_t *ids;
	struct named *named;
	size_t n;
};

enum { CANDIDATES = 6 };

static void candidates(const struct someone *s, int64_t to[CANDIDATES])
{
	const int64_t ids[CANDIDATES] = { s->known, s->by_email, s->by_name, s->row_by_id,
		s->row_by_email, s->row_by_username };
	for (int i = 0; i < CANDIDATES; i++)
		to[i] = ids[i];
}

static enum rc load_standing(struct db *db, struct arena *a, const struct people_options *o,
	const struct someone *people, size_t n, struct standing *st)
{
	int64_t *wanted = arena_array(a, n * CANDIDATES + 1, sizeof *wanted), ids[CANDIDATES];
	size_t m = 0;
	struct rows *rows;
	for (size_t i = 0; i < n; i++) {
		candidates(&people[i], ids);
		for (int k = 0; k < CANDIDATES; k++)
			if (ids[k] != NIL)
				wanted[m++] = ids[k];
	}
	const struct db_param params[] = { db_int_or_null(a, o->account, NIL),
		db_int_or_null(a, o->project, NIL), db_int_or_null(a, o->performer, NIL),
		db_ids(a, wanted, m) };
	enum rc rc = db_run(db, STMT_PEOPLE_STANDING, 4, params, &rows);
	if (rc)
		return rc;
	st->n = (size_t)db_count(rows);
	st->ids = arena_array(a, st->n + 1, sizeof *st->ids);
	st->named = arena_array(a, st->n + 1, sizeof *st->named);
	for (int i = 0; i < db_count(rows); i++) {
		st->ids[i] = db_get_int(rows, i, db_column(rows, "id"));
		st->named[i] =
			(struct named){ .seen = db_get_bool(rows, i, db_column(rows, "seen")),
				.in_project = db_get_bool(rows, i, db_column(rows, "in_project")),
				.in_account = db_get_bool(rows, i, db_column(rows, "in_account")),
				.claims = db_get_bool(rows, i, db_column(rows, "email_claimed")) };
	}
	return RC_OK;
}

static int order(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* The person, if the importer may say that things are theirs; else NIL. */
static int64_t allowed(const struct standing *st, int64_t id, enum naming_by by, bool settled)
{
	const int64_t *at = st->n ? bsearch(&id, st->ids, st->n, sizeof *st->ids, order) : NULL;
	if (!at)
		return NIL;
	struct named whom = st->named[at - st->ids];
	whom.settled = settled;
	return naming_may(&st->who, NAMING_CREDIT, by, &whom) ? id : NIL;
}

static void look_at(const struct standing *st, struct someone *s)
{
	int64_t known = s->known;
	s->known = allowed(st, known, NAMING_BY_ID, s->is_settled);
	s->is_known = s->is_known && (known == NIL || s->known != NIL);
	s->email_elsewhere = s->by_email != NIL;
	s->row_email_elsewhere = s->row_by_email != NIL;
	s->by_email = allowed(st, s->by_email, NAMING_BY_ADDRESS, false);
	s->row_by_email = allowed(st, s->row_by_email, NAMING_BY_ADDRESS, false);
	s->email_elsewhere = s->email_elsewhere && s->by_email == NIL;
	s->row_email_elsewhere = s->row_email_elsewhere && s->row_by_email == NIL;
	s->row_by_id = allowed(st, s->row_by_id, NAMING_BY_ID, false);
	s->row_by_username = allowed(st, s->row_by_username, NAMING_BY_NAME, false);
	if (s->named == 1 && (s->by_name = allowed(st, s->by_name, NAMING_BY_NAME, false)) == NIL)
		s->named = 0;
	s->row_by_id_is_placeholder = s->row_by_id_is_placeholder && s->row_by_id != NIL;
}

enum rc people_naming_look(struct db *db, struct arena *a, const struct people_options *o,
	struct someone *people, size_t n)
{
	struct standing st = { .who = { .is_operator = o->performer == NIL,
				       .may_add = true,
				       .only_seen = o->only_seen } };
	enum rc rc = load_standing(db, a, o, people, n, &st);
	for (size_t i = 0; i < n && !rc; i++)
		look_at(&st, &people[i]);
	return rc;
}

/* Joining --------------------------------------------------------------------------------- */

struct joining {
	struct arena *arena;
	struct db *db;
	struct scene scene;
	struct save save;
	struct project *project; /* as the next command finds it */
	int64_t performer;
};

static enum rc begin(struct joining *j, int64_t project, size_t n)
{
	struct arena *a = j->arena;
	struct load l = { .arena = a,
		.db = j->db,
		.scene = &j->scene,
		.project = db_int(a, project),
		.story = db_null(),
		.epic = db_null() };
	struct db_param me = db_int(a, j->performer);
	struct rows *rows;
	enum rc rc = db_run(j->db, STMT_PEOPLE_PERFORMER, 1, &me, &rows);
	if (rc)
		return rc;
	j->scene.me = load_me(a, rows, STR("owner"));
	load_project(&l);
	load_new_ids(&l, &res_project_membership, n);
	db_commit(j->db);
	if ((rc = load_take(&l)) || (rc = db_finish(j->db)))
		return rc;
	j->project = object_copy(a, &res_project, j->scene.project);
	j->scene.project = j->project;
	return RC_OK;
}

static struct str text_at(const struct rows *rows, int row, const char *column)
{
	return db_text_or_empty(rows, row, db_column(rows, column));
}

static bool flag_at(const struct rows *rows, int row, const char *column)
{
	return db_get_bool(rows, row, db_column(rows, column));
}

/* Like the body of POST …/memberships. */
static struct wish *wish_of(
	struct joining *j, const struct person *person, struct str role, bool by_address)
{
	struct membership *w = object_new(j->arena, &res_project_membership);
	w->role = words_find(words_roles, role.p, role.n);
	w->created_at = w->updated_at = j->scene.now;
	if (by_address)
		w->email = person->email;
	else
		w->person_id = person->id;
	return wish_for(j->arena, &res_project_membership, w);
}

/* Adds one of them, as that request does. False if it would be refused. */
static bool join(struct joining *j, const struct rows *rows, int row)
{
	struct arena *a = j->arena;
	struct outcome out;
	struct person *person = object_new(a, &res_person);
	bool by_address = flag_at(rows, row, "by_address");
	person->id = db_get_int(rows, row, db_column(rows, "id"));
	person->name = text_at(rows, row, "name");
	person->email = text_at(rows, row, "email");
	person->seen = flag_at(rows, row, "seen");
	person->in_account = flag_at(rows, row, "in_account");
	person->receives_in_app_notifications = flag_at(rows, row, "hears");
	j->scene.people = (struct objects){ 0 };
	objects_add(a, &j->scene.people, person);
	outcome_init(&out, &j->scene, "project_membership_create");
	if (membership_create(&out, wish_of(j, person, text_at(rows, row, "role"), by_address)))
		return false;
	save_outcome(&j->save, &out);
	const struct db_param letter[] = { db_int(a, person->id), db_int(a, j->performer) };
	if (j->save.mail && by_address)
		save_send(&j->save, STMT_LETTER_INVITE, 2, letter);
	struct project *next = object_copy(a, &res_project, j->project);
	next->version++;
	j->scene.project = j->project = next;
	return true;
}

enum rc people_naming_join(struct db *db, struct arena *a, const struct people_options *o,
	int64_t project, int *joined)
{
	const struct audit_who who = {
		.person = o->performer, .means = o->means, .token = NIL, .request = o->told_as
	};
	struct joining j = { .arena = a,
		.db = db,
		.performer = o->performer,
		.scene = { .arena = a, .only_seen = o->only_seen },
		.save = { .arena = a, .db = db, .mail = o->mail, .who = &who } };
	const struct db_param params[] = { db_int_or_null(a, o->account, NIL),
		db_int(a, o->performer) };
	struct rows *rows;
	enum rc rc = db_run(db, STMT_PEOPLE_NEW_MEMBERS_STANDING, 2, params, &rows);
	if (rc || db_count(rows) == 0)
		return rc;
	if ((rc = begin(&j, project, (size_t)db_count(rows))))
		return rc;
	for (int i = 0; i < db_count(rows); i++)
		*joined += join(&j, rows, i);
	db_commit(db);
	rc = save_take(&j.save);
	return rc ? rc : db_finish(db);
}
