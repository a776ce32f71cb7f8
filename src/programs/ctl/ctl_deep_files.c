/*
 * Checks that each row of a file has its file, complete and with its thumbnails, and each file its
 * row.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/when.h"
#include "programs/ctl/ctl_deep.h"
#include "service/files.h"

#define HOLDS "each row of a file has its file"
#define NO_OTHERS "each file has its row"

enum { TOLD_MAX = 20, SUSPECTS_MAX = 1000, BATCH = 1000, DAY_S = 24 * 60 * 60 };

/* A file, in 24 bytes: there may be millions. */
struct stored {
	int64_t id, size;
	unsigned char kinds; /* a set of `enum kind` */
	bool has_row, is_old;
};

enum kind { FILE_ITSELF = 1, SMALL = 2, BIG = 4 };

struct suspect {
	int64_t id, size, found; /* found -1: no file; -2: a thumbnail is missing */
};

struct looking {
	struct ctl *c;
	void (*say)(bool is_ok, struct str line);
	struct arena piece;
	struct stored *stored;
	size_t n, room;
	int64_t old_s;
	struct suspect suspects[SUSPECTS_MAX];
	size_t n_suspects;
	long faults, orphans;
};

static enum kind kind_of(const char *place)
{
	const char *suffix = strchr(place, '.');

	return !suffix ? FILE_ITSELF : strcmp(suffix, ".small") == 0 ? SMALL : BIG;
}

static void note(void *to, const struct files_found *found)
{
	struct looking *l = to;

	if (found->id < 0)
		return;
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 1024;
		l->stored = realloc(l->stored, l->room * sizeof *l->stored);
		if (!l->stored)
			ctl_fail(l->c, "doctor: no memory for the names of %zu files", l->room);
	}
	enum kind kind = kind_of(found->place);
	l->stored[l->n++] = (struct stored){ found->id, kind == FILE_ITSELF ? found->size : -1,
		(unsigned char)kind, false, found->changed_s < l->old_s };
}

static int by_id(const void *a, const void *b)
{
	const struct stored *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Merges the entries of a file and its pictures into one. */
static void join(struct looking *l)
{
	size_t n = 0;

	if (l->n)
		qsort(l->stored, l->n, sizeof *l->stored, by_id);
	for (size_t i = 0; i < l->n; i++) {
		if (n == 0 || l->stored[n - 1].id != l->stored[i].id) {
			l->stored[n++] = l->stored[i];
			continue;
		}
		struct stored *one = &l->stored[n - 1];
		one->kinds |= l->stored[i].kinds;
		one->is_old &= l->stored[i].is_old;
		if (l->stored[i].size >= 0)
			one->size = l->stored[i].size;
	}
	l->n = n;
}

static void compare(struct looking *l, int64_t id, int64_t size, bool has_pictures)
{
	enum { ALL = FILE_ITSELF | SMALL | BIG };
	const struct stored wanted = { .id = id };
	struct stored *one =
		l->n ? bsearch(&wanted, l->stored, l->n, sizeof *l->stored, by_id) : NULL;
	struct suspect s = { id, size, -1 };

	if (one)
		one->has_row = true;
	if (one && one->kinds & FILE_ITSELF)
		s.found = one->size != size                 ? one->size
			: has_pictures && one->kinds != ALL ? -2
							    : size;
	if (s.found == size)
		return;
	if (l->n_suspects < SUSPECTS_MAX)
		l->suspects[l->n_suspects++] = s;
}

static void compare_all(struct looking *l)
{
	int64_t after = 0;

	for (;;) {
		struct rows *rows = ctl_deep_ask(l->c, STMT_DOCTOR_FILES, db_int(&l->piece, after));
		int n = db_count(rows);
		for (int i = 0; i < n; i++) {
			after = db_get_int(rows, i, 0);
			compare(l, after, db_get_int(rows, i, 1), db_get_bool(rows, i, 2));
		}
		ctl_deep_settle(l->c, &l->piece);
		if (n == 0)
			return;
	}
}

static void tell(struct looking *l, const struct suspect *s)
{
	long long id = (long long)s->id, size = (long long)s->size, found = (long long)s->found;

	if (l->faults++ >= TOLD_MAX)
		return;
	l->say(false,
		found >= 0
			? arena_printf(&l->piece,
				  HOLDS
				  ": file %lld has %lld bytes instead of %lld: restore it from a "
				  "backup",
				  id, found, size)
			: arena_printf(&l->piece,
				  HOLDS ": %s %lld is missing: restore it from a backup",
				  found == -1 ? "file" : "a thumbnail of file", id));
}

/* Only those that still have a row: a file deleted since the snapshot may be gone, too. */
static void tell_suspects(struct looking *l)
{
	static int64_t ids[SUSPECTS_MAX];

	for (size_t i = 0; i < l->n_suspects; i++)
		ids[i] = l->suspects[i].id;
	struct rows *rows =
		ctl_deep_ask(l->c, STMT_DOCTOR_FILES_KEPT, db_ids(&l->piece, ids, l->n_suspects));
	size_t at = 0;
	for (int i = 0; i < db_count(rows); i++) {
		while (l->suspects[at].id != db_get_int(rows, i, 0))
			at++;
		tell(l, &l->suspects[at]);
	}
	ctl_deep_settle(l->c, &l->piece);
}

/* Looks again for the rows: one may have been added since the snapshot. */
static void count_orphans(struct looking *l)
{
	static int64_t ids[BATCH];
	size_t n = 0;

	for (size_t i = 0; i <= l->n; i++) {
		if (i < l->n && !l->stored[i].has_row && l->stored[i].is_old)
			ids[n++] = l->stored[i].id;
		if (n == BATCH || (i == l->n && n)) {
			struct rows *rows = ctl_deep_ask(
				l->c, STMT_DOCTOR_FILES_KEPT, db_ids(&l->piece, ids, n));
			l->orphans += (long)n - db_count(rows);
			ctl_deep_settle(l->c, &l->piece);
			n = 0;
		}
	}
}

static void conclude(struct looking *l)
{
	if (l->faults > TOLD_MAX)
		l->say(false,
			arena_printf(&l->piece,
				HOLDS ": %ld more like these: restore them from a backup",
				l->faults - TOLD_MAX));
	else if (l->faults == 0)
		l->say(true, STR(HOLDS));
	l->say(true,
		l->orphans ? arena_printf(&l->piece,
				     NO_OTHERS ", except %ld, which planwrightctl files sweep "
					       "deletes",
				     l->orphans)
			   : STR(NO_OTHERS));
}

void ctl_look_at_files(struct ctl *c, void (*say)(bool is_ok, struct str line))
{
	static struct looking l;
	struct files kept = files_of(&c->conf);

	l = (struct looking){ .c = c, .say = say, .old_s = when_now() / 1000000 - DAY_S };
	bool walked = files_walk(&kept, note, &l);
	join(&l);
	if (walked)
		compare_all(&l);
	if (db_script(c->db, "rollback"))
		ctl_fail_db(c);
	if (walked) {
		tell_suspects(&l);
		count_orphans(&l);
		conclude(&l);
	} else {
		say(false,
			arena_printf(&l.piece, HOLDS ": %s: run doctor as the user of the workers",
				kept.problem.text));
	}
	free(l.stored);
	arena_free(&l.piece);
}
