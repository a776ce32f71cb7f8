#include "domain_case.h"

#include <criterion/criterion.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 4096 };

void domain_case_fail(
	const struct domain_case *c, const struct domain_line *line, const char *format, ...)
{
	char text[4096];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	cr_expect(false, "%s:%d: %.*s: %s", c->file, line ? line->number : c->lines[0].number,
		(int)c->name.n, c->name.p, text);
}

/* Files --------------------------------------------------------------------------- */

static struct str read_file(struct arena *a, const char *path)
{
	FILE *file = fopen(path, "r");
	cr_assert(file, "%s", path);
	fseek(file, 0, SEEK_END);
	size_t size = (size_t)ftell(file);
	rewind(file);
	char *text = arena_alloc(a, size + 1);
	cr_assert(fread(text, 1, size, file) == size, "%s", path);
	fclose(file);
	return (struct str){ text, size };
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

/* A line that begins with a blank continues the one before it. */
static size_t read_lines(struct arena *a, struct str text, struct domain_line *lines)
{
	size_t n = 0;
	int number = 0;
	while (text.p) {
		struct str line = str_cut(&text, '\n');
		number++;
		if (line.n == 0 || line.p[0] == '#')
			continue;
		if (is_space(line.p[0])) {
			cr_assert(n > 0, "line %d goes on with nothing", number);
			struct str more = str_trim(line), *rest = &lines[n - 1].rest;
			*rest = arena_printf(
				a, "%.*s %.*s", (int)rest->n, rest->p, (int)more.n, more.p);
			continue;
		}
		cr_assert(n < LINES_MAX, "more than %d lines", LINES_MAX);
		lines[n].rest = line;
		lines[n].word = domain_case_word(&lines[n].rest);
		lines[n++].number = number;
	}
	return n;
}

static bool begins_case(const struct domain_line *line)
{
	return str_equal_z(line->word, "case") || str_equal_z(line->word, "table");
}

static int run_file(const char *path, void (*run)(struct arena *, const struct domain_case *))
{
	static struct domain_line lines[LINES_MAX];
	struct arena text = { 0 }, a = { 0 };
	size_t n = read_lines(&text, read_file(&text, path), lines), end;
	int cases = 0;
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && !begins_case(&lines[end]); end++)
			;
		struct domain_case c = { path, lines[i].rest, str_equal_z(lines[i].word, "table"),
			&lines[i], end - i };
		cr_assert(begins_case(&lines[i]), "%s:%d: no case", path, lines[i].number);
		run(&a, &c);
		arena_reset(&a);
		cases++;
	}
	arena_free(&a);
	arena_free(&text);
	return cases;
}

int domain_case_each(const char *pattern, void (*run)(struct arena *, const struct domain_case *))
{
	int cases = 0;
	glob_t files;
	cr_assert(glob(pattern, 0, NULL, &files) == 0, "no %s", pattern);
	for (size_t i = 0; i < files.gl_pathc; i++)
		cases += run_file(files.gl_pathv[i], run);
	globfree(&files);
	return cases;
}
