#include "transfer/form/cell_comment.h"

#include <string.h>

#include "transfer/read/cell_date.h"
#include "transfer/common/name_set.h"

static struct str trim_right(struct str s)
{
	while (s.n && memchr(" \t\r\n", s.p[s.n - 1], 4))
		s.n--;
	return s;
}

/* Cuts ` - Mon D, YYYY)` off the end. */
static bool cut_day(struct str *s, int32_t *day)
{
	if (!s->n || s->p[s->n - 1] != ')')
		return false;
	for (size_t n = sizeof "Oct 1, 2023" - 1; n <= sizeof "Oct 11, 2023" - 1; n++) {
		if (s->n < n + 4)
			return false;
		const char *date = s->p + s->n - 1 - n;
		if (memcmp(date - 3, " - ", 3) == 0 &&
			cell_date_words((struct str){ date, n }, day)) {
			s->n -= n + 4;
			return true;
		}
	}
	return false;
}

static bool is_balanced(struct str s)
{
	int open = 0;
	for (size_t i = 0; i < s.n && open >= 0; i++)
		open += (s.p[i] == '(') - (s.p[i] == ')');
	return open == 0;
}

/*
 * Finds the bracket before the author's name, which ends at s.n: the nearest one before a known
 * name, else before a name with balanced brackets, else before any. False if there is none.
 */
static bool find_bracket(
	struct str s, bool (*is_name)(void *arg, struct str name), void *arg, size_t *place)
{
	bool found = false, whole = false;
	for (size_t i = s.n; i > 0 && s.n - i <= NAME_SET_BYTES && s.p[i - 1] != '\n'; i--) {
		struct str name = { s.p + i, s.n - i };
		if (s.p[i - 1] != '(')
			continue;
		if (name.n && is_name(arg, name)) {
			*place = i - 1;
			return true;
		}
		bool is_whole = is_balanced(name);
		if (!found || (is_whole && !whole))
			*place = i - 1;
		found = true;
		whole = whole || is_whole;
	}
	return found;
}

struct cell_comment cell_comment_read(
	struct str cell, bool (*is_name)(void *arg, struct str name), void *arg)
{
	struct cell_comment c = { .text = cell };
	struct str s = trim_right(cell);
	size_t bracket;
	if (!cut_day(&s, &c.day) || !find_bracket(s, is_name, arg, &bracket))
		return c;
	c.is_signed = true;
	c.author = str_trim((struct str){ s.p + bracket + 1, s.n - bracket - 1 });
	c.text.n = bracket - (bracket && s.p[bracket - 1] == ' ');
	return c;
}
