#include "store/save_search.h"

#include "model/model.h"

/* Rows of search_text, column by column. */
struct texts {
	struct str *sources, *texts;
	int64_t *ids, *stories, *epics, *comments;
	size_t n;
};

static int64_t int_named(const struct change *c, const void *object, const char *name)
{
	int i = resource_field(c->of, name);
	const int64_t *v = i < 0 ? NULL : object_value(&c->of->fields[i], object);
	return v ? *v : NIL;
}

static bool hangs_on_comment(const struct resource *of)
{
	return resource_field(of, "comment_id") >= 0;
}

/* Where the text is: a row that changed twice has one place. */
static size_t place_of(const struct texts *t, struct str source, int64_t id)
{
	size_t i = 0;
	while (i < t->n && (t->ids[i] != id || !str_equal(t->sources[i], source)))
		i++;
	return i;
}

/* Puts the text of a row; for an attachment without a name, a blank, which has:attachment finds. */
static void put(struct texts *t, const struct change *c, const struct field *f)
{
	struct str text = *(const struct str *)object_value(f, c->new);
	int64_t id = object_id(c->new);
	size_t i = c->old ? place_of(t, str_of(f->search), id) : t->n;
	t->sources[i] = str_of(f->search);
	t->ids[i] = id;
	t->stories[i] = c->of == &res_story ? id : int_named(c, c->new, "story_id");
	t->epics[i] = c->of == &res_epic ? id : int_named(c, c->new, "epic_id");
	t->comments[i] = int_named(c, c->new, "comment_id");
	t->texts[i] = text.n == 0 && hangs_on_comment(c->of) ? STR(" ") : text;
	t->n += i == t->n;
}

static bool is_empty(const struct change *c, const struct field *f)
{
	const struct str *text = object_value(f, c->new);
	return text->n == 0 && !hangs_on_comment(c->of);
}

/* Whether a text is to be written or removed; an upload has none until it is attached. */
static bool is_new(const struct change *c, const struct field *f)
{
	if (hangs_on_comment(c->of)) {
		int64_t comment = int_named(c, c->new, "comment_id");
		if (comment == NIL)
			return false;
		if (c->old && comment != int_named(c, c->old, "comment_id"))
			return true;
	}
	if (c->old)
		return !object_same(f, c->old, c->new);
	return !is_empty(c, f);
}

static void drop(struct texts *t, const struct field *f, int64_t id)
{
	t->sources[t->n] = str_of(f->search);
	t->ids[t->n++] = id;
}

/* The texts of a deleted row, and of the rows deleted with it. */
static void drop_all(struct texts *t, const struct change *c, const struct field *f)
{
	if (f->type != FT_IDS) {
		drop(t, f, object_id(c->old));
		return;
	}
	const struct ids *ids = object_value(f, c->old);
	for (size_t i = 0; i < ids->n; i++)
		drop(t, f, ids->v[i]);
}

/* The next searchable field after f; null: there is none. f null: the first. */
static const struct field *next_text(const struct resource *of, const struct field *f)
{
	for (f = f ? f + 1 : of->fields; f < of->fields + of->n_fields; f++)
		if (f->search)
			return f;
	return NULL;
}

/* How many texts a batch may change, at most. */
static size_t count(const struct batch *b)
{
	size_t n = 0;
	for (size_t i = 0; i < b->n; i++) {
		const struct change *c = &b->changes[i];
		for (const struct field *f = NULL; (f = next_text(c->of, f));)
			if (f->type != FT_IDS)
				n++;
			else if (c->type == CHANGE_DELETE)
				n += ((const struct ids *)object_value(f, c->old))->n;
	}
	return n;
}

static struct texts new_texts(struct arena *a, size_t n)
{
	return (struct texts){ arena_array(a, n, sizeof(struct str)),
		arena_array(a, n, sizeof(struct str)), arena_array(a, n, sizeof(int64_t)),
		arena_array(a, n, sizeof(int64_t)), arena_array(a, n, sizeof(int64_t)),
		arena_array(a, n, sizeof(int64_t)), 0 };
}

static void sort_out(const struct batch *b, struct texts *kept, struct texts *gone)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct change *c = &b->changes[i];
		for (const struct field *f = NULL; (f = next_text(c->of, f));) {
			if (c->type == CHANGE_DELETE) {
				drop_all(gone, c, f);
				continue;
			}
			if (f->type == FT_IDS || !is_new(c, f))
				continue;
			if (is_empty(c, f))
				drop(gone, f, object_id(c->new));
			else
				put(kept, c, f);
		}
	}
}

void save_search_texts(struct save *save, const struct batch *b)
{
	struct arena *a = save->arena;
	size_t n = count(b);
	if (n == 0)
		return;
	struct texts kept = new_texts(a, n), gone = new_texts(a, n);
	sort_out(b, &kept, &gone);
	if (kept.n) {
		const struct db_param params[] = { db_texts(a, kept.sources, kept.n),
			db_ids(a, kept.ids, kept.n), db_ids_or_null(a, kept.stories, kept.n, NIL),
			db_ids_or_null(a, kept.epics, kept.n, NIL),
			db_ids_or_null(a, kept.comments, kept.n, NIL),
			db_texts(a, kept.texts, kept.n) };
		save_send(save, STMT_SAVE_TEXTS, 6, params);
	}
	if (gone.n) {
		const struct db_param params[] = { db_texts(a, gone.sources, gone.n),
			db_ids(a, gone.ids, gone.n) };
		save_send(save, STMT_SAVE_TEXTS_GONE, 2, params);
	}
}
