#include "transfer/people/people_candidates.h"

#include <string.h>

/* At most so many of a name are listed: of those here, and of those in the files. */
enum { TOLD = 5 };

static bool is_asked(const struct someone *s)
{
	return s->row.action == PEOPLE_AMBIGUOUS && s->name.n;
}

static void put(struct buf *to, struct str text)
{
	buf_put_z(to, to->n ? "; " : "");
	buf_put_str(to, text);
}

/* What tells one from the others: an address, else a user name, else initials. */
static struct str mark(struct arena *a, struct str email, struct str username, struct str initials)
{
	if (email.n)
		return email;
	if (username.n)
		return arena_printf(a, "user name %.*s", (int)username.n, username.p);
	if (initials.n)
		return arena_printf(a, "initials %.*s", (int)initials.n, initials.p);
	return STR("no address");
}

/* Adds those in the files; `people` begins with the first of the name. */
static void put_files(struct buf *to, struct arena *a, const struct someone *people, size_t n)
{
	int told = 0;
	for (size_t i = 0; i < n && told < TOLD; i++) {
		const struct someone *s = &people[i];
		if (s->is_loose || !str_equal(s->name, people->name))
			continue;
		struct str text = mark(a, s->email, s->username, s->initials);
		put(to,
			s->id == NIL ? text
				     : arena_printf(a, "%.*s (%lld in the files)", (int)text.n,
					       text.p, (long long)s->id));
		told++;
	}
}

/* Adds those who are here: rows with the name, in the order of their ids. */
static void put_here(struct buf *to, struct arena *a, const struct rows *rows, struct str name)
{
	int at = db_column(rows, "name"), id = db_column(rows, "id"),
	    email = db_column(rows, "email"), username = db_column(rows, "username"),
	    initials = db_column(rows, "initials");
	for (int i = 0; i < db_count(rows); i++) {
		if (!str_equal(db_get_text(rows, i, at), name))
			continue;
		struct str text = mark(a, db_text_or_empty(rows, i, email),
			db_text_or_empty(rows, i, username), db_text_or_empty(rows, i, initials));
		put(to,
			arena_printf(a, "person_id %lld: %.*s", (long long)db_get_int(rows, i, id),
				(int)text.n, text.p));
	}
}

/* At most so many names are asked about: searching the rows for each stays cheap. */
enum { NAMES = 200 };

static size_t names_of(
	const struct someone *people, size_t n, struct str names[NAMES], size_t first[NAMES])
{
	size_t found = 0;
	for (size_t i = 0; i < n && found < NAMES; i++)
		if (is_asked(&people[i]) &&
			(!found || !str_equal(names[found - 1], people[i].name))) {
			names[found] = people[i].name;
			first[found++] = i;
		}
	return found;
}

/* Where the group of people begins whose names differ only in case. */
static size_t group_of(const struct someone *people, size_t i)
{
	while (i > 0 && people[i - 1].name.p &&
		str_equal_nocase(people[i - 1].name, people[i].name))
		i--;
	return i;
}

static size_t group_end(const struct someone *people, size_t n, size_t i)
{
	size_t end = i + 1;
	while (end < n && people[end].name.p && str_equal_nocase(people[end].name, people[i].name))
		end++;
	return end;
}

enum rc people_candidates_look(struct db *db, struct arena *a, const struct people_options *o,
	struct someone *people, size_t n)
{
	struct str names[NAMES];
	size_t first[NAMES], found = names_of(people, n, names, first);
	struct rows *rows;
	if (found == 0)
		return RC_OK;
	const struct db_param params[] = { db_int_or_null(a, o->account, NIL),
		db_int_or_null(a, o->performer, NIL), db_texts(a, names, found), db_int(a, TOLD) };
	enum rc rc = db_run(db, STMT_PEOPLE_NAMESAKES, 4, params, &rows);
	for (size_t i = 0; !rc && i < found; i++) {
		struct buf text = { 0 };
		size_t from = group_of(people, first[i]), end = group_end(people, n, from);
		put_here(&text, a, rows, names[i]);
		while (!str_equal(people[from].name, names[i]))
			from++;
		put_files(&text, a, people + from, end - from);
		struct str said = arena_str(a, buf_str(&text));
		buf_free(&text);
		for (size_t k = from; k < end; k++)
			if (is_asked(&people[k]) && str_equal(people[k].name, names[i]))
				people[k].candidates = said;
	}
	return rc;
}
