#include <criterion/criterion.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lib/log.h"

/* What write_log(text) writes; meanwhile, standard error is a pipe. */
static const char *capture(void (*write_log)(const char *), const char *text)
{
	static char out[20000];
	int ends[2], saved = dup(STDERR_FILENO);
	ssize_t n;

	cr_assert_eq(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	write_log(text);
	dup2(saved, STDERR_FILENO);
	close(ends[1]);
	n = read(ends[0], out, sizeof(out) - 1);
	close(ends[0]);
	close(saved);
	out[n > 0 ? n : 0] = '\0';
	return out;
}

static void write_error(const char *text)
{
	log_error("%s", text);
}

static void write_warn(const char *text)
{
	log_warn("about %s", text);
}

static void write_info(const char *text)
{
	log_info("%s", text);
}

static void write_errno(const char *text)
{
	errno = ENOENT;
	log_error("%s: %m", text);
	cr_expect_eq(errno, ENOENT);
}

static void write_object(const char *text)
{
	if (!log_object("word", str_of(text)))
		log_info("too long");
}

static void write_nul(const char *text)
{
	log_error("%s%c.", text, 0);
}

Test(log, levels)
{
	cr_expect_str_eq(capture(write_error, "a"), "<3>a\n");
	cr_expect_str_eq(capture(write_warn, "a"), "<4>about a\n");
	cr_expect_str_eq(capture(write_info, ""), "<6>\n");
	cr_expect_str_eq(capture(write_errno, "x"), "<3>x: No such file or directory\n");
}

Test(log, cannot_be_forged)
{
	cr_expect_str_eq(capture(write_error, "a\n<3>b\r\t\x1b[0m\x7f"),
		"<3>a\\x0a<3>b\\x0d\\x09\\x1b[0m\\x7f\n");
	cr_expect_str_eq(capture(write_nul, "a"), "<3>a\\x00.\n");
	cr_expect_str_eq(capture(write_error, "é€😀"), "<3>é€😀\n");
	cr_expect_str_eq(capture(write_error, "\xc2\x9b\xff\xc3"), "<3>\\xc2\\x9b\\xff\\xc3\n",
		"a C1 control character and broken UTF-8");
}

Test(log, long_lines_are_cut)
{
	static char text[10000];

	memset(text, 'a', sizeof(text) - 1);
	const char *line = capture(write_error, text);
	cr_expect_leq(strlen(line), 4096);
	cr_expect_str_eq(line + strlen(line) - 5, "a...\n");
	memset(text, '\x01', sizeof(text) - 1);
	line = capture(write_error, text);
	cr_expect_leq(strlen(line), 4096);
	cr_expect_str_eq(line + strlen(line) - 8, "\\x01...\n");
}

Test(log, an_object_stays_one)
{
	static char text[10000];

	log_set_request("abc");
	cr_expect_str_eq(capture(write_object, "{\"a\":\"é\\n😀\"}"),
		"<6>word {\"a\":\"é\\n😀\"}\n", "the id of the request does not follow");
	log_set_request(NULL);
	cr_expect_str_eq(capture(write_object, "{\"\x7f\"}"), "<6>too long\n");
	cr_expect_str_eq(capture(write_object, "{\"\n\"}"), "<6>too long\n");
	cr_expect_str_eq(capture(write_object, "{\"\xc2\x85\"}"), "<6>too long\n");
	memset(text, 'a', sizeof(text) - 1);
	cr_expect_str_eq(capture(write_object, text), "<6>too long\n", "and never cut");
	text[4096 - 9] = '\0';
	cr_expect_eq(strlen(capture(write_object, text)), 4096);
	text[4096 - 9] = 'a';
	text[4096 - 8] = '\0';
	cr_expect_str_eq(capture(write_object, text), "<6>too long\n");
}

Test(log, die_ends_with_1, .exit_code = 1)
{
	log_die("the end: %d", 1);
}
