#include "transfer/read/cell.h"

#include <string.h>

#include "lib/json.h"
#include "model/words.h"

struct str cell_text(struct str cell)
{
	bool is_guarded = cell.n > 1 && cell.p[0] == '\'' && memchr("=+-@\t\r", cell.p[1], 6);
	return is_guarded ? (struct str){ cell.p + 1, cell.n - 1 } : cell;
}

/* Programs that take a column for decimals write 7 as 7.0; more zeros could be thousands. */
static struct str without_zero(struct str number)
{
	const size_t n = number.n;
	const bool is_whole = n > 2 && number.p[n - 1] == '0' &&
		(number.p[n - 2] == '.' || number.p[n - 2] == ',');
	return is_whole ? (struct str){ number.p, n - 2 } : number;
}

int64_t cell_id(struct str cell)
{
	int64_t id;
	cell = without_zero(str_trim(cell));
	if (cell.n && cell.p[0] == '#')
		cell = (struct str){ cell.p + 1, cell.n - 1 };
	return str_to_int(cell, &id) && id > 0 ? id : NIL;
}

int cell_word(const char *const *words, struct str cell)
{
	cell = str_trim(cell);
	for (int i = 0; words[i]; i++)
		if (str_equal_nocase(cell, str_of(words[i])))
			return i;
	return WORD_NONE;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

enum cell_estimate cell_estimate(struct str cell, double *estimate)
{
	/* Divided once, a number is as near as it can be: three times 0.1 is not 0.3. */
	double number = 0, unit = 1;
	size_t i = 0;
	cell = without_zero(str_trim(cell));
	if (!cell.n || str_equal_z(cell, "-1"))
		return CELL_ESTIMATE_NONE;
	for (; i < cell.n && i < 9 && is_digit(cell.p[i]); i++)
		number = number * 10 + (cell.p[i] - '0');
	if (i == 0)
		return CELL_ESTIMATE_BAD;
	if (i + 1 < cell.n && (cell.p[i] == '.' || cell.p[i] == ','))
		for (i++; i < cell.n && is_digit(cell.p[i]); i++)
			if (unit < 1e6) {
				number = number * 10 + (cell.p[i] - '0');
				unit *= 10;
			}
	*estimate = number / unit;
	return i == cell.n ? CELL_ESTIMATE_READ : CELL_ESTIMATE_BAD;
}

/*
 * Takes the part before the next slash, and the slash. False if there is no slash, or nothing
 * before it.
 */
static bool take_part(struct str *rest, struct str *part)
{
	*part = str_cut(rest, '/');
	return part->n && rest->p;
}

bool cell_place(struct str url, const char *word, struct cell_place *place)
{
	struct str rest = str_trim(url), part;
	const char *start = rest.p;
	if (!take_part(&rest, &part) ||
		(!str_equal_nocase(part, STR("https:")) && !str_equal_nocase(part, STR("http:"))))
		return false;
	if (str_cut(&rest, '/').n || !take_part(&rest, &part))
		return false;
	place->host_url = (struct str){ start, (size_t)(rest.p - start) };
	if (!take_part(&rest, &place->owner) || !take_part(&rest, &place->repo) ||
		!take_part(&rest, &part) || !str_equal_z(part, word))
		return false;
	place->name = rest;
	if (strcmp(word, "pull") == 0) {
		size_t n = 0;
		while (n < rest.n && n < 18 && is_digit(rest.p[n]))
			n++;
		if (n < rest.n && !memchr("/?#", rest.p[n], 3))
			return false;
		place->name.n = n;
	}
	return place->name.n > 0;
}

void cell_quote(struct buf *b, struct str text)
{
	struct json j;
	json_init(&j, b);
	json_str(&j, text.p ? text : STR(""));
}
