#include "service/fields.h"

#include <string.h>

enum { MAX_DEPTH = 32, MAX_NAMES = 1000 };

struct parser {
	struct arena *arena;
	struct str text;
	size_t at;
	int depth;
	int names;
	const char *problem;
	struct fields **ends[MAX_DEPTH + 1]; /* where to put the next name of each open list */
};

static void skip_blanks(struct parser *p)
{
	while (p->at < p->text.n && (p->text.p[p->at] == ' ' || p->text.p[p->at] == '\t'))
		p->at++;
}

/* The next character that is not a space; 0 at the end. */
static char peek(struct parser *p)
{
	skip_blanks(p);
	return p->at < p->text.n ? p->text.p[p->at] : '\0';
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_';
}

/* Reports an error at the current place. */
static bool fail(struct parser *p, const char *what)
{
	p->problem =
		arena_printf(p->arena, "%s at character %zu of the list of fields", what, p->at + 1)
			.p;
	return false;
}

static bool take_name(struct parser *p, struct fields **found)
{
	struct str name;
	bool preset = peek(p) == ':';
	size_t from = p->at;

	p->at += preset;
	while (p->at < p->text.n && is_name_char(p->text.p[p->at]))
		p->at++;
	name = (struct str){ p->text.p + from, p->at - from };
	if (preset && !str_equal(name, STR(":default"))) {
		p->at = from;
		return fail(p, "only ':default' can begin with a colon:");
	}
	if (name.n == 0)
		return fail(p, "a name is missing");
	if (++p->names > MAX_NAMES)
		return fail(p, "there are more than 1000 names");
	struct fields *f = arena_alloc(p->arena, sizeof(*f));
	f->name = name;
	*p->ends[p->depth] = f;
	p->ends[p->depth] = &f->next;
	*found = f;
	return true;
}

static bool open_list(struct parser *p, struct fields *f)
{
	if (f->name.p[0] == ':')
		return fail(p, "':default' cannot have a list");
	if (p->depth == MAX_DEPTH)
		return fail(p, "lists are nested more than 32 levels deep");
	f->has_list = true;
	p->ends[++p->depth] = &f->list;
	p->at++;
	return true;
}

/* A name with what follows it, up to where the next name begins or the text ends. */
static bool take_item(struct parser *p)
{
	struct fields *f = NULL;

	if (!take_name(p, &f))
		return false;
	if (peek(p) == '(') {
		if (!open_list(p, f))
			return false;
		if (peek(p) != ')')
			return true;
	}
	while (peek(p) == ')') {
		if (p->depth == 0)
			return fail(p, "the ')' has no opening '('");
		p->depth--;
		p->at++;
	}
	if (p->at == p->text.n)
		return p->depth == 0 || fail(p, "a ')' is missing");
	if (p->text.p[p->at] != ',')
		return fail(p, "unexpected text");
	p->at++;
	return peek(p) != '\0' || fail(p, "a name is missing");
}

struct fields *fields_parse(struct arena *a, struct str text, const char **problem)
{
	struct fields *first = NULL;
	struct parser p = { .arena = a, .text = text };

	p.ends[0] = &first;
	if (peek(&p) != '\0') {
		do {
			if (!take_item(&p))
				break;
		} while (p.at < p.text.n || p.depth > 0);
	}
	*problem = p.problem;
	return p.problem ? NULL : first;
}
