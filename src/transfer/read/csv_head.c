#include "transfer/read/csv_head.h"

#include <string.h>

#include "transfer/read/cell.h"

static const struct csv_column *find(const struct csv_column *columns, size_t n, struct str name)
{
	for (size_t i = 0; i < n; i++)
		if (str_equal_nocase(name, str_of(columns[i].name)))
			return &columns[i];
	return NULL;
}

/* Adds the column to its role's list; false if it has no role, or one that has its only column. */
static bool take_column(struct csv_head *h, const struct csv_column *c, int *last, int column)
{
	if (c->role < 0)
		return false;
	if (h->first[c->role] < 0)
		h->first[c->role] = column;
	else if (c->many)
		h->next[last[c->role]] = column;
	else
		return false;
	last[c->role] = column;
	return true;
}

/* Each row that is lost or remarked on repeats them. */
static const char *name_of(struct arena *a, struct str cell)
{
	size_t n = cell.n < CSV_HEAD_NAME_MAX ? cell.n : CSV_HEAD_NAME_MAX;
	while (n < cell.n && n > 0 && ((unsigned char)cell.p[n] & 0xc0) == 0x80)
		n--;
	return arena_printf(a, "%.*s%s", (int)n, n ? cell.p : "", n < cell.n ? "…" : "").p;
}

void csv_head_take(struct csv_head *h, const struct csv_read *r, enum intake_kind kind,
	const struct csv_column *columns, size_t n)
{
	int last[CSV_HEAD_ROLES];
	*h = (struct csv_head){ .n = r->n, .at = r->at, .kind = kind };
	h->names = arena_array(&h->arena, h->n, sizeof *h->names);
	h->next = arena_array(&h->arena, h->n, sizeof *h->next);
	h->is_idle = arena_array(&h->arena, h->n, sizeof *h->is_idle);
	h->unread = arena_array(&h->arena, h->n, sizeof *h->unread);
	for (int i = 0; i < CSV_HEAD_ROLES; i++)
		h->first[i] = -1;
	for (size_t i = 0; i < h->n; i++) {
		struct str name = str_trim(r->cells[i]);
		const struct csv_column *c = find(columns, n, name);
		h->names[i] = name_of(&h->arena, name);
		h->next[i] = -1;
		h->is_idle[i] = c && c->role < 0;
		h->unread[i] = c && take_column(h, c, last, (int)i) ? -1 : 0;
	}
}

void csv_head_free(struct csv_head *h)
{
	arena_free(&h->arena);
}

struct str csv_head_cell(const struct csv_read *r, int column)
{
	return column >= 0 && (size_t)column < r->n ? r->cells[column] : STR("");
}

int csv_head_next(const struct csv_head *h, int column)
{
	return column < 0 ? -1 : h->next[column];
}

int csv_head_next_cell(const struct csv_head *h, const struct csv_read *r, int column)
{
	int next = csv_head_next(h, column);
	return next >= 0 && (size_t)next < r->n ? next : -1;
}

static bool is_blank(struct str cell)
{
	return str_trim(cell).n == 0;
}

bool csv_head_is_blank(const struct csv_read *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (!is_blank(r->cells[i]))
			return false;
	return true;
}

bool csv_head_fits(const struct csv_head *h, const struct csv_read *r)
{
	for (size_t i = h->n; i < r->n; i++)
		if (!is_blank(r->cells[i]))
			return false;
	return true;
}

static void say_behind(
	const struct csv_head *h, const struct csv_read *r, struct intake *in, int column)
{
	struct buf text = { 0 };
	cell_quote(&text, r->cells[column]);
	buf_put_char(&text, '\0');
	intake_say(in, INTAKE_CHANGED, r->at, NIL, (size_t)column < h->n ? h->names[column] : NULL,
		"behind_quote", "text after the closing quote of a cell counts as a part of it: %s",
		text.p);
	buf_free(&text);
}

bool csv_head_check(struct csv_head *h, const struct csv_read *r, struct intake *in)
{
	for (size_t i = 0; i < h->n && i < r->n; i++)
		if (h->unread[i] >= 0)
			h->unread[i] += !is_blank(r->cells[i]);
	if (r->nuls)
		intake_say(in, INTAKE_NOTE, r->at, NIL, NULL, "nul",
			"U+0000 was removed from the row %lld times", (long long)r->nuls);
	for (int i = 0; i < r->n_behind; i++)
		say_behind(h, r, in, r->behind[i]);
	if (csv_head_fits(h, r))
		return true;
	csv_head_say_lost(h, r, in, NIL, NULL, "row_too_long",
		"the row has more cells than the header, so none of them can be trusted");
	return false;
}

static void say_unread(const struct csv_head *h, struct intake *in, size_t i)
{
	bool is_lost = h->unread[i] > 0 && !h->is_idle[i];
	struct buf name = { 0 };
	cell_quote(&name, str_of(h->names[i]));
	buf_put_char(&name, '\0');
	intake_say(in, is_lost ? INTAKE_LOST : INTAKE_NOTE, h->at, NIL, h->names[i],
		"unread_column", "column %zu, %s, is not imported; filled cells: %lld", i + 1,
		name.p, (long long)h->unread[i]);
	buf_free(&name);
}

void csv_head_say_unread(const struct csv_head *h, struct intake *in)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->unread[i] > 0 || (h->unread[i] == 0 && *h->names[i]))
			say_unread(h, in, i);
}

void csv_head_say_lost(const struct csv_head *h, const struct csv_read *r, struct intake *in,
	int64_t id, const char *column, const char *code, const char *why)
{
	struct buf text = { 0 };
	struct json j;
	buf_printf(&text, "%s; skipped: ", why);
	json_init(&j, &text);
	json_object(&j);
	for (size_t i = 0; i < r->n; i++) {
		if (is_blank(r->cells[i]))
			continue;
		json_key_str(&j, i < h->n ? str_of(h->names[i]) : STR(""));
		json_str(&j, r->cells[i]);
	}
	json_object_end(&j);
	const struct intake_remark remark = { .severity = INTAKE_LOST,
		.at = r->at,
		.id = id,
		.column = column,
		.code = code,
		.message = buf_str(&text),
		.is_whole = true,
		.kind = h->kind };
	in->remark(in, &remark);
	buf_free(&text);
}
