#include "transfer/people/people_new.h"

#include "domain/arrival.h"
#include "domain/person.h"
#include "service/crypt.h"

bool people_new_is_made(const struct someone *s)
{
	return s->is_new && !s->same_as;
}

struct str people_new_name(const struct someone *s)
{
	return str_is_blank(s->name) ? STR(ARRIVAL_NOBODY) : s->name;
}

static bool is_placeholder(const struct someone *s)
{
	return s->row.action != PEOPLE_CREATE;
}

/* Columns of a statement: the ids, and n texts of each. */
enum { TEXTS = 4 };

struct columns {
	int64_t *ids;
	struct str *texts[TEXTS];
	size_t n;
};

static struct columns columns_of(struct arena *a, const struct someone *people, size_t n,
	void (*tell)(struct arena *a, const struct someone *s, struct str texts[TEXTS]))
{
	struct columns c = { .ids = arena_array(a, n + 1, sizeof *c.ids) };
	for (int t = 0; t < TEXTS; t++)
		c.texts[t] = arena_array(a, n + 1, sizeof(struct str));
	for (size_t i = 0; i < n; i++) {
		struct str texts[TEXTS] = { { 0 } };
		if (!people_new_is_made(&people[i]))
			continue;
		tell(a, &people[i], texts);
		for (int t = 0; t < TEXTS; t++)
			c.texts[t][c.n] = texts[t];
		c.ids[c.n++] = people[i].person;
	}
	return c;
}

static void put(struct arena *a, const struct columns *c, struct db_param params[1 + TEXTS])
{
	params[0] = db_ids(a, c->ids, c->n);
	for (int t = 0; t < TEXTS; t++)
		params[1 + t] = db_texts(a, c->texts[t], c->n);
}

/* Name, initials, the address that the files give to a placeholder, and the action. */
static void describe(struct arena *a, const struct someone *s, struct str texts[TEXTS])
{
	struct str name = people_new_name(s);
	struct str initials = s->initials.n ? s->initials : person_letters(a, name);
	texts[0] = name;
	texts[1] = initials.n ? initials : STR("?");
	texts[2] = is_placeholder(s) ? s->email : (struct str){ 0 };
	texts[3] = str_of(people_actions[s->row.action]);
}

/* Their entries in the audit log are written in the end, but precede those of what the import does to them. */
static enum rc take_entries(struct db *db, struct arena *a, struct someone *people, size_t n)
{
	struct rows *rows;
	int64_t wanted = 0;
	for (size_t i = 0; i < n; i++)
		wanted += people_new_is_made(&people[i]) && !is_placeholder(&people[i]);
	const struct db_param params[] = { db_text(a, STR("audit_entry_id_seq")),
		db_text(a, arena_printf(a, "%lld", (long long)wanted)) };
	enum rc rc = wanted ? db_run(db, STMT_NEW_IDS, 2, params, &rows) : RC_OK;
	for (size_t i = 0; i < n && !rc; i++)
		people[i].entry = people_new_is_made(&people[i]) && !is_placeholder(&people[i])
			? db_get_int(rows, (int)--wanted, 0)
			: NIL;
	return rc;
}

enum rc people_new_make(struct db *db, struct arena *a, const struct people_options *o,
	struct someone *people, size_t n)
{
	const struct columns c = columns_of(a, people, n, describe);
	struct db_param params[1 + TEXTS + 1];
	struct rows *rows;
	put(a, &c, params);
	params[1 + TEXTS] = db_bool(a, o->performer == NIL);
	enum rc rc = c.n ? db_run(db, STMT_PEOPLE_CREATE, 1 + TEXTS + 1, params, &rows) : RC_OK;
	return rc ? rc : take_entries(db, a, people, n);
}

static struct str username_of(struct arena *a, const struct someone *s)
{
	enum { LONGEST = 80 };
	if (is_placeholder(s))
		return arena_printf(a, "placeholder-%lld", (long long)s->person);
	return s->username.n <= LONGEST && person_is_username(s->username)
		? s->username
		: person_base(a, s->email);
}

/* User name and address, and others if somebody has these; a placeholder's address is nobody's. */
static void call(struct arena *a, const struct someone *s, struct str texts[TEXTS])
{
	const long long id = (long long)s->person;
	struct str username = username_of(a, s);
	texts[0] = username;
	texts[1] = is_placeholder(s) ? arena_printf(a, "placeholder-%lld@placeholder.invalid", id)
				     : s->email;
	texts[2] = arena_printf(a, "%.*s-%lld", (int)username.n, username.p, id);
	if (is_placeholder(s))
		texts[3] = arena_printf(
			a, "placeholder-%lld-%s@placeholder.invalid", id, crypt_token(a).p);
}

enum rc people_new_call(struct db *db, struct arena *a, const struct people_options *o,
	const struct someone *people, size_t n)
{
	const struct columns c = columns_of(a, people, n, call);
	struct db_param params[1 + TEXTS];
	struct rows *rows;
	put(a, &c, params);
	int64_t *entries = arena_array(a, c.n + 1, sizeof *entries);
	for (size_t i = 0, k = 0; i < n; i++)
		if (people_new_is_made(&people[i]))
			entries[k++] = people[i].entry;
	const struct db_param told[] = { params[0], db_ids_or_null(a, entries, c.n, NIL),
		db_int_or_null(a, o->account, NIL), db_int_or_null(a, o->performer, NIL),
		db_text(a, o->means), db_text(a, o->told_as) };
	enum rc rc = c.n ? db_run(db, STMT_PEOPLE_NAME, 1 + TEXTS, params, &rows) : RC_OK;
	return rc || !c.n ? rc : db_run(db, STMT_PEOPLE_CREATE_AUDIT, 6, told, &rows);
}
