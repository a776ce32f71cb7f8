/* Parses the words of a line in a golden case. */
#include "domain_case.h"

struct str domain_case_word(struct str *rest)
{
	*rest = str_trim(*rest);
	if (!rest->n)
		return (struct str){ 0 };
	struct str word = str_cut(rest, ' ');
	*rest = rest->p ? str_trim(*rest) : STR("");
	return word;
}

struct ids domain_case_ids(struct arena *a, struct str text)
{
	struct ids ids = { 0 };
	while (text.p) {
		struct str last = str_cut(&text, ','), first = str_cut(&last, '-');
		int64_t from, to;
		if (!str_to_int(first, &from))
			return (struct ids){ 0 };
		if (!last.p)
			to = from;
		else if (!str_to_int(last, &to))
			return (struct ids){ 0 };
		for (; from <= to; from++)
			ids = ids_with(a, ids, from);
	}
	return ids;
}

struct body *domain_case_json(struct arena *a, const struct domain_case *c,
	const struct domain_line *line, struct str text)
{
	const char *problem;
	struct body *body = body_parse(a, text, &problem);
	if (!body)
		domain_case_fail(c, line, "no JSON: %s: %.*s", problem, (int)text.n, text.p);
	return body;
}
