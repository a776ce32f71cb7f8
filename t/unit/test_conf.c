#include <criterion/criterion.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "service/conf.h"

#define SECRET "0123456789abcdef0123456789abcdef"

static char folder[] = "/tmp/planwright-conf-XXXXXX";
static char path[100], secret_path[100];
static struct conf conf;
static char error[400];

static void put_file(const char *name, const char *text, size_t n)
{
	FILE *f = fopen(name, "w");

	cr_assert_not_null(f);
	cr_assert_eq(fwrite(text, 1, n, f), n);
	fclose(f);
}

static void begin(void)
{
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/p.conf", folder);
	snprintf(secret_path, sizeof(secret_path), "%s/secret", folder);
	setenv("PLANWRIGHT_CONF", path, 1);
	for (size_t i = 0; i < conf_items_count; i++) {
		char name[100];
		snprintf(name, sizeof(name), "PLANWRIGHT_%s", conf_items[i].name);
		for (char *c = name; *c; c++)
			*c = (char)toupper((unsigned char)*c);
		unsetenv(name);
		strcat(name, "_FILE");
		unsetenv(name);
	}
}

static void end(void)
{
	conf_free(&conf);
	unlink(path);
	unlink(secret_path);
	rmdir(folder);
}

TestSuite(conf, .init = begin, .fini = end);

static bool load(const char *text)
{
	put_file(path, text, strlen(text));
	conf_free(&conf);
	strcpy(error, "unset");
	return conf_load(&conf, NULL, error, sizeof(error));
}

/* The file is refused with a message that begins with its path, followed by this text. */
static void refused(const char *text, const char *expected)
{
	char whole[500];

	snprintf(whole, sizeof(whole), "%s%s", path, expected);
	cr_expect_not(load(text), "%s", text);
	cr_expect_str_eq(error, whole);
	cr_expect_null(conf.secret);
	cr_expect_null(conf.files);
}

Test(conf, presets)
{
	cr_assert(load("secret = " SECRET "\n"), "%s", error);
	cr_expect_str_eq(conf.database, "dbname=planwright");
	cr_expect_str_eq(conf.secret, SECRET);
	cr_expect_str_eq(conf.base_url, "http://127.0.0.1:8080");
	cr_expect(conf.tracker_headers);
	cr_expect_not(conf.filter_with_fields);
	cr_expect_eq(conf.max_body_kib, 1024);
	cr_expect_eq(conf.statement_timeout_ms, 5000);
	cr_expect_str_eq(conf.files, "/var/lib/planwright/files");
	cr_expect_str_eq(conf.webhook_allow, "");
	cr_expect_not(conf.webhook_http);
	cr_expect_not(conf_has_mail(&conf));
}

Test(conf, people)
{
	cr_assert(load("secret = " SECRET "\n"));
	cr_expect_str_eq(conf.add_people_by_id, "any");
	cr_expect(conf.new_accounts);
	cr_assert(load("secret = " SECRET "\nadd_people_by_id = seen\nnew_accounts = off\n"));
	cr_expect_str_eq(conf.add_people_by_id, "seen");
	cr_expect_not(conf.new_accounts);
	refused("secret=" SECRET "\nadd_people_by_id = some",
		" line 2: add_people_by_id must be any or seen; correct it");
	cr_assert(load("secret = " SECRET "\n"));
	cr_expect_str_eq(conf.second_factor, "optional");
	cr_expect_not(conf_requires_factor(&conf));
	cr_assert(load("secret = " SECRET "\nsecond_factor = required\n"));
	cr_expect(conf_requires_factor(&conf));
	refused("secret=" SECRET "\nsecond_factor = on",
		" line 2: second_factor must be off, optional or required; correct it");
}

Test(conf, mail)
{
	cr_assert(load("secret = " SECRET "\nsmtp_url = smtps://mail.example:465\n"));
	cr_expect_not(conf_has_mail(&conf), "an address is missing");
	cr_assert(load("secret = " SECRET "\nmail_from = a@b\n"));
	cr_expect_not(conf_has_mail(&conf), "a server is missing");
	cr_assert(load("secret = " SECRET "\nmail_from = a@b\nsmtp_url = smtp://[::1]:25"));
	cr_expect(conf_has_mail(&conf));
	refused("secret=" SECRET "\nsmtp_url = http://mail",
		" line 2: smtp_url is not of the form smtp://host:port or smtps://host:port; "
		"correct it");
	refused("secret=" SECRET "\nsmtp_url = smtp://plan:hunter2@mail",
		" line 2: smtp_url is not of the form smtp://host:port or smtps://host:port; "
		"correct it");
}

Test(conf, reads_lines)
{
	cr_assert(load("# a comment\n\n  # another\r\n secret=" SECRET "#x\r\n"
		       "database = host=/run/pg dbname=a\n\tbase_url = https://plan.example.org\n"
		       "tracker_headers = off\nfilter_with_fields = Yes\nmax_body_kib = 65536\n"
		       "statement_timeout_ms=100\nfiles = /a b"),
		"%s", error);
	cr_expect_str_eq(conf.database, "host=/run/pg dbname=a");
	cr_expect_str_eq(conf.secret, SECRET "#x");
	cr_expect_str_eq(conf.base_url, "https://plan.example.org");
	cr_expect_not(conf.tracker_headers);
	cr_expect(conf.filter_with_fields);
	cr_expect_eq(conf.max_body_kib, 65536);
	cr_expect_eq(conf.statement_timeout_ms, 100);
	cr_expect_str_eq(conf.files, "/a b");
}

Test(conf, refuses_lines)
{
	char expected[300];

	refused("\nbase_ur = x\n", " line 2: there is no setting base_ur; see planwright.conf(5)");
	refused("files_file = x\n",
		" line 1: there is no setting files_file; see planwright.conf(5)");
	refused("files\n", " line 1: write it as `name = value`, or begin a comment with #");
	refused("files =\n", " line 1: files is empty; give it a value or remove the line");
	snprintf(expected, sizeof(expected),
		" line 2: files is already set in %s line 1; remove one of them", path);
	refused("files = a\nfiles = b\n", expected);
	snprintf(expected, sizeof(expected),
		" line 2: secret is already set in %s line 1; remove one of them", path);
	refused("secret = " SECRET "\nsecret_file = b\n", expected);
}

Test(conf, refuses_values)
{
	refused("secret=" SECRET "\nmax_body_kib = 0",
		" line 2: max_body_kib must be a whole number from 1 to 65536; correct it");
	refused("secret=" SECRET "\nmax_body_kib = 65537",
		" line 2: max_body_kib must be a whole number from 1 to 65536; correct it");
	refused("secret=" SECRET "\nstatement_timeout_ms = 5s",
		" line 2: statement_timeout_ms must be a whole number from 100 to 600000; correct it");
	refused("secret=" SECRET "\ntracker_headers = maybe",
		" line 2: tracker_headers must be on or off; correct it");
	refused("database = x\n",
		": secret is not set; add it there, or set PLANWRIGHT_SECRET or "
		"PLANWRIGHT_SECRET_FILE");
}

Test(conf, base_url)
{
	static const char *const good[][2] = { { "http://h", "http://h" },
		{ "https://h.example:8443", "https://h.example:8443" },
		{ "http://[::1]:80", "http://[::1]" }, { "http://[::80]", "http://[::80]" },
		{ "https://Plan.Example.org:443", "https://plan.example.org" },
		{ "http://h:443", "http://h:443" }, { "https://h:80", "https://h:80" },
		{ "http://h:8080", "http://h:8080" } };
	static const char *const bad[] = { "h", "http:", "http://", "http:///", "http://h/",
		"http://h/x", "ftp://h", "//h", "http:/h", "http://h?x", "http://h x",
		"http://h#" };
	char text[200];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		snprintf(text, sizeof(text), "secret = " SECRET "\nbase_url = %s\n", good[i][0]);
		cr_expect(load(text), "%s", error);
		cr_expect_str_eq(conf.base_url, good[i][1]);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "secret = " SECRET "\nbase_url = %s\n", bad[i]);
		cr_expect_not(load(text), "%s", bad[i]);
		cr_expect_not_null(strstr(error, "line 2: base_url is not of the form"));
	}
}

Test(conf, base_url_has_a_length)
{
	char text[1000];

	for (int n = 190; n <= 400; n += 10) {
		snprintf(text, sizeof(text), "secret = " SECRET "\nbase_url = http://%0*d\n", n - 7,
			1);
		cr_expect_eq(load(text), n <= 200, "%d", n);
		if (n > 200)
			cr_expect_not_null(strstr(error, "base_url is longer than 200 characters"));
	}
}

Test(conf, a_secret_never_stands_in_an_error)
{
	static const char *const texts[] = {
		"secret = hunter2\n", /* too short */
		"hunter2\n",          /* a line without a name */
		"secret hunter2\n",
		"hunter2=\n", /* the second line of a wrapped base64 text */
		"abc/hunter2== = x\n",
		"secret_file = /nowhere/hunter2\n",
		"secret_file = hunter2\n",
		"secret = " SECRET "\nsecret = hunter2\n",
		"secret = " SECRET "\nmax_body_kib = hunter2\n",
		"secret = " SECRET "\nbase_url = hunter2\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		cr_expect_not(load(texts[i]), "%s", texts[i]);
		cr_expect_null(strstr(error, "hunter2"), "%s", error);
		cr_expect_null(strstr(error, SECRET), "%s", error);
	}
	cr_expect_not(load("secret = hunter2\n"));
	cr_expect_not_null(strstr(error, "secret needs at least 32 characters and has 7"));
	setenv("PLANWRIGHT_SECRET", "hunter2", 1);
	cr_expect_not(load(""));
	cr_expect_str_eq(error,
		"environment PLANWRIGHT_SECRET: secret needs at least 32 characters "
		"and has 7; use a longer one");
}

Test(conf, the_environment_wins)
{
	setenv("PLANWRIGHT_SECRET", SECRET "env", 1);
	setenv("PLANWRIGHT_MAX_BODY_KIB", "7", 1);
	setenv("PLANWRIGHT_FILES", "", 1);
	cr_assert(load("secret_file = /nowhere\nfiles = /f\nmax_body_kib = 8\n"), "%s", error);
	cr_expect_str_eq(conf.secret, SECRET "env");
	cr_expect_eq(conf.max_body_kib, 7);
	cr_expect_str_eq(conf.files, "/f", "an empty variable counts as none");
	setenv("PLANWRIGHT_MAX_BODY_KIB", "many", 1);
	cr_assert_not(load(""));
	cr_expect_str_eq(error,
		"environment PLANWRIGHT_MAX_BODY_KIB: max_body_kib must be a whole "
		"number from 1 to 65536; correct it");
}

Test(conf, secrets_in_files)
{
	char text[200];

	put_file(secret_path, SECRET " \r\n", sizeof(SECRET) + 2);
	snprintf(text, sizeof(text), "secret_file = %s\n", secret_path);
	cr_assert(load(text), "%s", error);
	cr_expect_str_eq(conf.secret, SECRET " ", "only the line end goes");

	put_file(secret_path, "dbname=x\n\n", 10);
	setenv("PLANWRIGHT_DATABASE_FILE", secret_path, 1);
	cr_assert(load("database = y\nsecret = " SECRET), "%s", error);
	cr_expect_str_eq(conf.database, "dbname=x\n");

	setenv("PLANWRIGHT_DATABASE", "z", 1);
	cr_assert_not(load("secret = " SECRET));
	cr_expect_str_eq(error,
		"environment: PLANWRIGHT_DATABASE and PLANWRIGHT_DATABASE_FILE are "
		"both set; unset one");
	unsetenv("PLANWRIGHT_DATABASE");
	put_file(secret_path, "", 0);
	cr_assert_not(load("secret = " SECRET));
	put_file(secret_path, "a\0b", 3);
	cr_assert_not(load("secret = " SECRET));
	cr_expect_str_eq(error,
		"environment PLANWRIGHT_DATABASE_FILE: the file for database "
		"cannot be read: not UTF-8 text; correct the path, or let this user read "
		"it");
	unlink(secret_path);
	cr_assert_not(load("secret = " SECRET));
	cr_expect_not_null(strstr(error, "No such file or directory"), "%s", error);
}

Test(conf, optional_settings)
{
	static const char *const optional[] = { "database", "secret", NULL };

	put_file(path, "files = /f\n", 11);
	cr_assert(conf_load(&conf, optional, error, sizeof(error)), "%s", error);
	cr_expect_null(conf.secret);
	cr_expect_str_eq(conf.files, "/f");
}

Test(conf, what_a_program_must_not_know_is_not_read)
{
	static const char *const unwanted[] = { "secret", "files", NULL };

	static const char text[] = "secret_file = /none/at/all\nfiles = /f\nmail_from = a@b.test\n";

	put_file(path, text, sizeof(text) - 1);
	cr_assert(conf_load_without(&conf, unwanted, error, sizeof(error)), "%s", error);
	cr_expect_null(conf.secret);
	cr_expect_null(conf.secret_file);
	cr_expect_null(conf.files);
	cr_expect_str_eq(conf.mail_from, "a@b.test");
	cr_expect_null(conf.secret_files[0]);
	cr_assert_not(load("secret_file = /none/at/all\n"));
}

Test(conf, keys_of_a_store_are_not_missed_where_they_are_unwanted)
{
	static const char *const unwanted[] = { "database", "secret", "s3_access_key",
		"s3_secret_key", NULL };
	static const char text[] = "files = s3://b\ns3_endpoint = https://store.example\n";

	put_file(path, text, sizeof(text) - 1);
	cr_assert(conf_load_without(&conf, unwanted, error, sizeof(error)), "%s", error);
	cr_expect(conf_has_store(&conf));
	cr_expect_null(conf.s3_secret_key);
}

Test(conf, who_sends_files)
{
	refused("secret = " SECRET "\nsend_files = apache\n",
		" line 2: send_files must be nginx, x-sendfile or self; correct it");
	cr_assert(load("secret = " SECRET "\nsend_files = self\n"), "%s", error);
	cr_expect_str_eq(conf.send_files, "self");
	cr_expect_eq(conf.account_quota_mib, 0);
}

Test(conf, the_named_file_must_be_there)
{
	cr_assert_not(conf_load(&conf, NULL, error, sizeof(error)));
	cr_expect_not_null(strstr(error, path));
	cr_expect_not_null(strstr(error, "No such file or directory"));
	cr_assert_not(load("files = \xff\n"));
	cr_expect_not_null(strstr(error, "not UTF-8 text"));
	setenv("PLANWRIGHT_CONF", folder, 1);
	cr_assert_not(conf_load(&conf, NULL, error, sizeof(error)));
	cr_expect_not_null(strstr(error, "Is a directory"));
}

Test(conf, large_files_and_long_errors)
{
	static char text[70000];

	memset(text, '#', sizeof(text));
	put_file(path, text, sizeof(text));
	cr_assert_not(conf_load(&conf, NULL, error, sizeof(error)));
	cr_expect_not_null(strstr(error, "larger than 64 KiB"));
	cr_assert_not(conf_load(&conf, NULL, error, 10));
	cr_expect_eq(strlen(error), 9);
}

Test(conf, every_item_has_a_place_of_its_own)
{
	for (size_t i = 0; i < conf_items_count; i++) {
		cr_expect(conf_items[i].offset < sizeof(struct conf));
		for (size_t k = 0; k < i; k++)
			cr_expect_neq(conf_items[i].offset, conf_items[k].offset);
	}
}
