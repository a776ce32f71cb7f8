#include <criterion/criterion.h>

#include <string.h>

#include "lib/buf.h"
#include "lib/multipart.h"

static struct buf content;
static struct multipart m;

static bool keep(void *to, const char *p, size_t n)
{
	buf_put(to, p, n);
	return true;
}

/* Feeds the body in pieces of this size; returns the content, or null for a malformed body. */
static const char *parse(const char *type, struct str body, size_t piece)
{
	buf_reset(&content);
	if (!multipart_begin(&m, str_of(type), "file", keep, &content))
		return NULL;
	for (size_t i = 0; i < body.n; i += piece)
		if (!multipart_feed(&m, body.p + i, body.n - i < piece ? body.n - i : piece))
			return NULL;
	if (!multipart_is_complete(&m) || !m.found)
		return NULL;
	buf_put_char(&content, '\0');
	return content.p;
}

#define TYPE "multipart/form-data; boundary=XX"
#define HEAD "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"

Test(multipart, content_is_the_same_however_it_is_cut)
{
	static const struct str bodies[] = {
		STR(HEAD "hello\r\n--XX--\r\n"),
		STR("ignored\r\n" HEAD "hello\r\n--XX--ignored"),
		STR("--XX\r\nContent-Disposition: form-data; name=x\r\n\r\nno\r\n" HEAD
		    "hello\r\n--XX\r\nContent-Disposition: form-data; name=file\r\n\r\nsecond\r\n--XX--"),
		STR(HEAD "hello\r\n--XX \t\r\n\r\n\r\n--XX--"),
	};
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
		for (size_t piece = 1; piece <= bodies[i].n; piece++) {
			const char *got = parse(TYPE, bodies[i], piece);
			cr_assert_not_null(got, "body %zu in pieces of %zu", i, piece);
			cr_expect_str_eq(got, "hello");
			cr_expect_str_eq(m.filename, "a.txt");
		}
}

Test(multipart, what_looks_like_a_boundary_stays)
{
	cr_expect_str_eq(parse(TYPE, STR(HEAD "\r\n--X\r\n--XY\r\r\n-\r\n--XX--"), 3),
		"\r\n--X\r\n--XY\r\r\n-");
}

Test(multipart, empty_content_ends_where_it_begins_however_it_is_cut)
{
	const struct str body = STR(HEAD "\r\n--XX\r\n\r\n--X of another part\r\n--XX--");
	for (size_t piece = 1; piece <= body.n; piece++)
		cr_expect_str_eq(parse(TYPE, body, piece), "", "in pieces of %zu", piece);
}

Test(multipart, content_may_be_empty)
{
	cr_expect_str_eq(parse(TYPE, STR(HEAD "\r\n--XX--"), 1), "");
}

Test(multipart, the_type_may_be_related)
{
	cr_expect_str_eq(parse("multipart/related; boundary=XX", STR(HEAD "x\r\n--XX--"), 4), "x");
}

Test(multipart, broken_bodies_are_refused)
{
	cr_expect_null(parse(TYPE, STR(""), 1));
	cr_expect_null(parse(TYPE, STR(HEAD "hello"), 5));
	cr_expect_null(parse(TYPE, STR(HEAD "hello\r\n--XX"), 5));
	cr_expect_null(parse(TYPE, STR("--XXjunk\r\n\r\n\r\n--XX--"), 5));
	cr_expect_null(parse("multipart/form-data", STR(HEAD "hello\r\n--XX--"), 5));
	cr_expect_null(parse("multipart/mixed; boundary=XX", STR(HEAD "hello\r\n--XX--"), 5));
	cr_expect_null(parse("multipart/form-data; boundary=\"a \"", STR("--a --"), 5));
}

Test(multipart, names_are_those_of_a_file)
{
	static const struct {
		const char *header, *name;
	} cases[] = {
		{ "filename=\"C:\\\\dir\\\\a.txt\"", "a.txt" },
		{ "filename=\"../../etc/passwd\"", "passwd" },
		{ "filename=plain.txt", "plain.txt" },
		{ "filename=\"x\"; filename*=UTF-8''%C3%A4.txt", "\xc3\xa4.txt" },
		{ "filename=\"a%22b\"", "a\"b" },
		{ "filename=\"a\tb\"", "a_b" },
		{ "filename=\"\xff.txt\"", "_.txt" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static struct buf body;
		buf_reset(&body);
		buf_printf(&body,
			"--XX\r\nContent-Disposition: form-data; name=\"file\"; %s\r\n\r\nx\r\n--XX--",
			cases[i].header);
		cr_assert_not_null(parse(TYPE, buf_str(&body), body.n));
		cr_expect_str_eq(m.filename, cases[i].name);
	}
}

/* Writes ";name=file:content" for each part except those named "no". */
static bool note(void *to, const char *name, const char *filename)
{
	bool wanted = strcmp(name, "no") != 0;
	if (wanted)
		buf_printf(to, ";%s=%s:", name, filename);
	return wanted;
}

Test(multipart, several_parts_are_taken_however_the_body_is_cut)
{
	static const struct str body = STR(
		"--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\none\r\n"
		"--XX\r\nContent-Disposition: form-data; name=no; filename=b\r\n\r\nnot this\r\n"
		"--XX\r\n\r\nnor this\r\n"
		"--XX\r\nContent-Disposition: form-data; name=empty\r\n\r\n\r\n"
		"--XX\r\nContent-Disposition: form-data; name=file; filename=x/c\r\n\r\ntwo\r\n--XX--");
	for (size_t piece = 1; piece <= body.n; piece++) {
		buf_reset(&content);
		cr_assert(multipart_begin_parts(&m, str_of(TYPE), note, keep, &content));
		for (size_t i = 0; i < body.n; i += piece)
			cr_assert(multipart_feed(
				&m, body.p + i, body.n - i < piece ? body.n - i : piece));
		cr_assert(multipart_is_complete(&m));
		buf_put_char(&content, '\0');
		cr_expect_str_eq(content.p, ";file=a:one;empty=:;file=c:two");
	}
}
