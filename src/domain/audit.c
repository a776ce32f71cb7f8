#include "domain/audit.h"

#include <string.h>

#include "lib/json.h"
#include "lib/when.h"
#include "model/model.h"

const char *const audit_words[] = {
#define AUDIT_WORD(NAME, word, doc) #word,
	AUDIT_ACTS(AUDIT_WORD)
#undef AUDIT_WORD
		NULL
};

const char *const audit_docs[] = {
#define AUDIT_DOC(NAME, word, doc) doc,
	AUDIT_ACTS(AUDIT_DOC)
#undef AUDIT_DOC
		NULL
};

struct audit_entry audit_entry(enum audit_act act)
{
	return (struct audit_entry){ .act = act, .member = NIL, .project_id = NIL, .id = NIL };
}

struct audit_entry audit_entry_of_person(enum audit_act act, int64_t person)
{
	struct audit_entry e = audit_entry(act);
	e.member = e.id = person;
	e.kind = "person";
	return e;
}

static struct str texts(struct arena *a, const struct audit_pair *pairs, int n, bool of_new)
{
	struct buf out = { 0 };
	struct json j;
	json_init(&j, &out);
	json_object(&j);
	for (int i = 0; i < n; i++) {
		json_key(&j, pairs[i].key);
		json_str(&j, of_new ? pairs[i].new : pairs[i].old);
	}
	json_object_end(&j);
	struct str s = arena_str(a, buf_str(&out));
	buf_free(&out);
	return s;
}

struct str audit_text(struct arena *a, const char *key, struct str text)
{
	return texts(a, &(struct audit_pair){ .key = key, .new = text }, 1, true);
}

void audit_pairs(struct arena *a, struct audit_entry *e, const struct audit_pair *pairs, int n)
{
	e->old = texts(a, pairs, n, false);
	e->new = texts(a, pairs, n, true);
}

void audit_switch(struct arena *a, struct audit_entry *e, const char *key, bool is_on)
{
	static const char *const words[] = { "false", "true" };
	e->old = arena_printf(a, "{\"%s\":%s}", key, words[!is_on]);
	e->new = arena_printf(a, "{\"%s\":%s}", key, words[is_on]);
}

/* What changes ------------------------------------------------------------------------ */

/* Scheme and host: a path or a query may hold a secret, and so may what is before an @. */
static struct str site_of(struct arena *a, struct str url)
{
	const char *at = url.n ? memchr(url.p, ':', url.n) : NULL;
	size_t scheme = at ? (size_t)(at - url.p) : 0;
	if (!scheme || url.n < scheme + 3 || memcmp(at, "://", 3) != 0)
		return STR("");
	struct str host = { at + 3, 0 };
	for (size_t rest = url.n - scheme - 3; host.n < rest && !strchr("/?#\\", host.p[host.n]);
		host.n++)
		if (host.p[host.n] == '@') {
			rest -= host.n + 1;
			host = (struct str){ host.p + host.n + 1, (size_t)-1 };
		}
	return arena_printf(a, "%.*s://%.*s", (int)scheme, url.p, (int)host.n, host.p);
}

static void put_time(struct json *j, int64_t us)
{
	char text[40];
	struct buf b = { .p = text, .cap = sizeof text };
	when_put_iso(&b, us);
	json_str(j, buf_str(&b));
}

static void put_field(struct arena *a, struct json *j, const struct field *f, const void *object)
{
	int64_t us;
	json_key(j, f->name);
	if (f->type == FT_TIME && !object_is_null(f, object)) {
		memcpy(&us, object_value(f, object), sizeof us);
		put_time(j, us);
	} else if (f->flags & F_SITE && !object_is_null(f, object)) {
		struct str url;
		memcpy(&url, object_value(f, object), sizeof url);
		json_str(j, site_of(a, url));
	} else {
		object_put(j, f, object);
	}
}

static bool is_shown(const struct field *f, const void *object, const void *other)
{
	return f->flags & F_AUDIT &&
		(other ? !object_same(f, object, other) : !object_is_null(f, object));
}

/* A change that is recorded, but whose values are not for the log. */
static bool is_veiled(const struct field *f, const void *object, const void *other)
{
	return !(f->flags & F_AUDIT) && f->flags & F_STORED && f->flags & F_WRITE && other &&
		!object_same(f, object, other);
}

/* The reported fields in which an object differs from the other one; without another, all that are
   not null. Absent: there are none. */
static struct str values(struct arena *a, const struct resource *of, const void *object,
	const void *other, bool veiled)
{
	struct buf out = { 0 };
	struct json j;
	bool any = false;
	if (!object)
		return (struct str){ 0 };
	json_init(&j, &out);
	json_object(&j);
	for (int i = 0; i < of->n_fields; i++) {
		const struct field *f = &of->fields[i];
		if (is_shown(f, object, other))
			put_field(a, &j, f, object);
		else if (veiled && is_veiled(f, object, other))
			json_put_z(&j, f->name, "changed");
		else
			continue;
		any = true;
	}
	json_object_end(&j);
	struct str s = any ? arena_str(a, buf_str(&out)) : (struct str){ 0 };
	buf_free(&out);
	return s;
}

struct str audit_values(struct arena *a, const struct resource *of, const void *object)
{
	return values(a, of, object, NULL, false);
}

/* How a change is recorded, and what it is about ----------------------------------------- */

static void add_account(struct arena *a, struct audit_entry *e, int64_t account)
{
	if (account != NIL)
		e->accounts = ids_with(a, e->accounts, account);
}

static void about(struct audit_entry *e, const char *kind, int64_t id, struct str name)
{
	e->kind = kind;
	e->id = id;
	e->name = name;
}

static void of_person(struct arena *a, const struct change *c, struct audit_entry *e)
{
	const struct person *x = c->new;
	(void)a;
	about(e, "person", x->id, x->name);
	e->member = x->id;
}

static void of_settings(struct arena *a, const struct change *c, struct audit_entry *e)
{
	const struct settings *x = c->old;
	(void)a;
	about(e, "person", x->id, x->name);
	e->member = x->id;
}

static void of_account(struct arena *a, const struct change *c, struct audit_entry *e)
{
	const struct account *x = c->new;
	about(e, "account", x->id, x->name);
	add_account(a, e, x->id);
}

static void of_account_membership(struct arena *a, const struct change *c, struct audit_entry *e)
{
	const struct account_membership *x = c->new ? c->new : c->old;
	about(e, "person", x->person_id, (struct str){ 0 });
	add_account(a, e, x->account_id);
}

static void of_membership(struct arena *a, const struct change *c, struct audit_entry *e)
{
	const struct membership *x = c->new ? c->new : c->old;
	(void)a;
	about(e, "person", x->person_id, (struct str){ 0 });
	e->project_id = x->project_id;
}

/* A project that moves to another account concerns both. */
static void of_project(struct arena *a, const struct change *c, struct audit_entry *e)
{
	const struct project *old = c->old, *new = c->new, *x = new ? new : old;
	about(e, "project", x->id, x->name);
	e->project_id = x->id;
	add_account(a, e, x->account_id);
	if (old && new)
		add_account(a, e, old->account_id);
	if (old && new && new->public && !old->public)
		e->act = AUDIT_PROJECT_PUBLIC;
}

static void of_webhook(struct arena *a, const struct change *c, struct audit_entry *e)
{
	const struct webhook *x = c->new ? c->new : c->old;
	(void)a;
	about(e, "webhook", x->id, (struct str){ 0 });
	e->project_id = x->project_id;
}

static void of_integration(struct arena *a, const struct change *c, struct audit_entry *e)
{
	const struct integration *x = c->new ? c->new : c->old;
	(void)a;
	about(e, "integration", x->id, x->name);
	e->project_id = x->project_id;
}

/*
 * Which acts the log records for changes by commands, by type of change; AUDIT__MAX: none. `whole`:
 * it records changes of all fields that clients write, not only of those that F_AUDIT marks.
 */
static const struct told {
	const struct resource *of;
	enum audit_act acts[CHANGE_DELETE + 1];
	void (*fill)(struct arena *, const struct change *, struct audit_entry *);
	bool whole;
} told[] = {
	{ &res_person, { AUDIT_PERSON_CREATE, AUDIT__MAX, AUDIT__MAX }, of_person, false },
	{ &res_personal_settings, { AUDIT__MAX, AUDIT_ADDRESS_CHANGE, AUDIT__MAX }, of_settings,
		false },
	{ &res_account, { AUDIT_ACCOUNT_CREATE, AUDIT_ACCOUNT_CHANGE, AUDIT__MAX }, of_account,
		true },
	{ &res_account_membership,
		{ AUDIT_MEMBERSHIP_CREATE, AUDIT_ROLE_CHANGE, AUDIT_MEMBERSHIP_DELETE },
		of_account_membership, false },
	{ &res_project_membership,
		{ AUDIT_MEMBERSHIP_CREATE, AUDIT_ROLE_CHANGE, AUDIT_MEMBERSHIP_DELETE },
		of_membership, false },
	{ &res_project, { AUDIT_PROJECT_CREATE, AUDIT_PROJECT_CHANGE, AUDIT_PROJECT_DELETE },
		of_project, true },
	{ &res_webhook, { AUDIT_WEBHOOK_CREATE, AUDIT_WEBHOOK_CHANGE, AUDIT_WEBHOOK_DELETE },
		of_webhook, true },
	{ &res_integration,
		{ AUDIT_INTEGRATION_CREATE, AUDIT_INTEGRATION_CHANGE, AUDIT_INTEGRATION_DELETE },
		of_integration, true },
};

bool audit_change(struct arena *a, const struct change *c, struct audit_entry *e)
{
	const struct told *t = told, *end = told + sizeof told / sizeof *told;
	while (t < end && t->of != c->of)
		t++;
	if (t == end || t->acts[c->type] == AUDIT__MAX || c->elsewhere)
		return false;
	*e = audit_entry(t->acts[c->type]);
	e->old = values(a, c->of, c->old, c->new, false);
	e->new = values(a, c->of, c->new, c->old, t->whole);
	if (c->type == CHANGE_UPDATE && !e->old.p && !e->new.p)
		return false;
	t->fill(a, c, e);
	return true;
}

bool audit_tool_use(struct arena *a, const struct batch *b, struct audit_entry *e)
{
	if (!b->n || !b->project || !b->activity)
		return false;
	const struct change *c = b->changes;
	*e = audit_entry(AUDIT_TOOL_USE);
	e->project_id = b->project->id;
	about(e, c->of->kind, object_id(c->new ? c->new : c->old), (struct str){ 0 });
	e->new = audit_text(a, "activity", arena_printf(a, "%s_activity", b->activity));
	return true;
}
