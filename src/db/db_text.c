/* Built statements that are worth preparing: the table of their texts. */
#include <stdlib.h>
#include <string.h>

#include "db/db_rows.h"
#include "lib/log.h"

enum { TEXT_LENGTH_MAX = 8192, USES_MAX = 1 << 20 };

static bool is_used_less(const struct text_statement *a, const struct text_statement *b)
{
	return a->uses != b->uses ? a->uses < b->uses : a->last < b->last;
}

/*
 * In transaction mode a pooler does not support "deallocate", and libpq 15 has no other way to drop
 * a statement: what was prepared through one keeps its place.
 */
static int least_used(const struct db *db)
{
	int least = -1;
	for (int i = 0; i < db->n_texts; i++)
		if (!db->texts[i].asked &&
			!(db->texts[i].on_server && db->pooler == DB_POOLED_TRANSACTIONS) &&
			(least < 0 || is_used_less(&db->texts[i], &db->texts[least])))
			least = i;
	return least;
}

/* What was used a lot, but long ago, also makes room eventually. */
static void age(struct db *db)
{
	if (++db->texts_dropped % DB_TEXTS_MAX)
		return;
	for (int i = 0; i < db->n_texts; i++)
		db->texts[i].uses /= 2;
}

/*
 * A free slot: one after the others, or that of the least used text; -1: all are needed.
 */
static int make_room(struct db *db)
{
	if (db->n_texts < DB_TEXTS_MAX)
		return db->n_texts++;
	int i = least_used(db);
	if (i < 0)
		return -1;
	struct text_statement *t = &db->texts[i];
	free(t->text);
	*t = (struct text_statement){ .on_server = t->on_server };
	age(db);
	return i;
}

int db_text_find(struct db *db, struct str sql)
{
	int i = 0;
	if (sql.n > TEXT_LENGTH_MAX)
		return -1;
	while (i < db->n_texts && !str_equal(sql, db->texts[i].sql))
		i++;
	if (i == db->n_texts && (i = make_room(db)) < 0)
		return -1;
	struct text_statement *t = &db->texts[i];
	if (!t->text) {
		t->text = strndup(sql.p, sql.n);
		t->sql = (struct str){ t->text, sql.n };
	}
	if (!t->text)
		log_die("out of memory");
	t->uses += t->uses < USES_MAX;
	t->last = ++db->texts_used;
	return i;
}

void db_text_forget(struct db *db)
{
	for (int i = 0; i < db->n_texts; i++)
		free(db->texts[i].text);
	memset(db->texts, 0, sizeof db->texts);
	db->n_texts = db->texts_dropped = 0;
	db->texts_used = 0;
}
