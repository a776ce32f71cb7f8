#include "domain/blocker.h"

#include <stdlib.h>

#include "domain/touch.h"
#include "model/model.h"

/* Stories in a text ---------------------------------------------------------- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Whether a word continues at p: a letter or an underscore; outside of ASCII, everything but
   symbols and spaces (U+0080 to U+00BF, U+2000 to U+206F, U+3000 to U+303F). */
static bool is_word(const char *p, size_t n)
{
	unsigned char c = n ? (unsigned char)p[0] : ' ', d = n > 1 ? (unsigned char)p[1] : 0;
	if (c < 0x80)
		return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(*p);
	return c != 0xc2 && !(c == 0xe2 && (d == 0x80 || d == 0x81)) && !(c == 0xe3 && d == 0x80);
}

/* The number after the # at *at, which moves on; NIL: not a possible id. */
static int64_t number_at(struct str text, size_t *at)
{
	enum { DIGITS_MAX = 18 };
	int64_t v = 0;
	size_t first = *at + 1, i = first;
	for (; i < text.n && i - first < DIGITS_MAX && is_digit(text.p[i]); i++)
		v = v * 10 + (text.p[i] - '0');
	*at = i;
	return i > first && !is_word(text.p + i, text.n - i) ? v : NIL;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

struct ids blocker_names(struct arena *a, struct str text)
{
	size_t hashes = 0, n = 0;
	for (size_t i = 0; i < text.n; i++)
		hashes += text.p[i] == '#';
	if (hashes == 0)
		return (struct ids){ 0 };
	int64_t *v = arena_array(a, hashes, sizeof *v);
	for (size_t i = 0; i < text.n;) {
		int64_t id = text.p[i] == '#' ? number_at(text, &i) : (i++, NIL);
		if (id != NIL)
			v[n++] = id;
	}
	qsort(v, n, sizeof *v, compare);
	struct ids once = { v, 0 };
	for (size_t i = 0; i < n; i++)
		if (i == 0 || v[i] != v[i - 1])
			v[once.n++] = v[i];
	return once;
}

/* Other stories of the project that the text names. */
static struct ids blocking(const struct scene *s, const struct blocker *n)
{
	struct ids named = blocker_names(s->arena, n->description), known = s->named_stories;
	int64_t *v = arena_array(s->arena, named.n, sizeof *v);
	struct ids ids = { v, 0 };
	for (size_t i = 0; i < named.n; i++)
		if (known.n && named.v[i] != n->story_id &&
			bsearch(&named.v[i], known.v, known.n, sizeof *v, compare))
			v[ids.n++] = named.v[i];
	return ids;
}

/* The rule --------------------------------------------------------------------- */

enum rc blocker_check(struct outcome *out, void *object, const void *before)
{
	struct blocker *n = object;
	const struct blocker *old = before;
	const struct scene *s = out->scene;
	if (!old && n->person_id == NIL)
		n->person_id = s->me->id;
	if (n->person_id != s->me->id && (!old || n->person_id != old->person_id))
		touch_people(out, "person_id", (struct ids){ &n->person_id, 1 }, (struct ids){ 0 });
	if (!old || !str_equal(n->description, old->description))
		n->blocking_story_ids = blocking(s, n);
	return outcome_is_refused(out) ? RC_INVALID_PARAMETER : RC_OK;
}
