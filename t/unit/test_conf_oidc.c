/* The settings for OpenID providers. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "service/conf.h"

#define SECRET "secret = 0123456789abcdef0123456789abcdef\n"
#define ACME                                                                                       \
	SECRET "oidc_providers = acme\noidc_acme_issuer = https://id.example/x\n"                  \
	       "oidc_acme_client_id = planwright\n"

static char path[] = "/tmp/planwright-conf-XXXXXX";
static struct conf conf;
static char error[400];

static void begin(void)
{
	int fd = mkstemp(path);
	cr_assert(fd >= 0);
	close(fd);
	setenv("PLANWRIGHT_CONF", path, 1);
	unsetenv("PLANWRIGHT_OIDC_PROVIDERS");
	unsetenv("PLANWRIGHT_OIDC_ACME_LABEL");
}

static void end(void)
{
	conf_free(&conf);
	unlink(path);
}

TestSuite(conf_oidc, .init = begin, .fini = end);

static bool load(const char *text)
{
	FILE *f = fopen(path, "w");
	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
	conf_free(&conf);
	return conf_load(&conf, NULL, error, sizeof error);
}

static void refused(const char *text, const char *expected)
{
	cr_expect_not(load(text), "%s", text);
	cr_expect(strstr(error, expected), "%s", error);
}

Test(conf_oidc, none)
{
	cr_assert(load(SECRET), "%s", error);
	cr_expect_eq(conf.oidc.n, 0);
	cr_expect_eq(conf.n_rows, conf_items_count);
	cr_expect(conf.password_sign_in);
	cr_expect_eq(conf.session_max_hours, 2160);
	cr_expect_null(conf_oidc_find(&conf.oidc, STR("acme")));
}

Test(conf_oidc, what_is_left_out)
{
	cr_assert(load(ACME), "%s", error);
	const struct conf_oidc *p = conf_oidc_find(&conf.oidc, STR("acme"));
	cr_assert_not_null(p);
	cr_expect_str_eq(p->issuer, "https://id.example/x");
	cr_expect_str_eq(p->client_id, "planwright");
	cr_expect_str_eq(p->client_secret, "");
	cr_expect_str_eq(p->label, "acme");
	cr_expect_str_eq(p->allowed, "");
	cr_expect(!p->trust_email && !p->follow && !p->new_people && p->sign_out);
}

Test(conf_oidc, everything)
{
	cr_assert(
		load("oidc_two_label = Zwei\n" ACME
		     "oidc_acme_client_secret = hidden\noidc_acme_label = Acme\noidc_acme_trust_email = on\n"
		     "oidc_acme_new_people = 7\noidc_acme_allowed = groups:a hd:b.example\n"
		     "oidc_acme_admins = role:boss\noidc_acme_follow = yes\n") == false);
	cr_expect(strstr(error, "there is no setting oidc_two_label"), "%s", error);
	cr_assert(load("oidc_acme_label = Acme\n" ACME
		       "oidc_acme_client_secret = hidden\noidc_acme_trust_email = on\n"
		       "oidc_acme_new_people = 7\noidc_acme_allowed = groups:a hd:b.example\n"
		       "oidc_acme_admins = role:boss\noidc_acme_follow = yes\n"),
		"%s", error);
	const struct conf_oidc *p = &conf.oidc.of[0];
	cr_expect_str_eq(p->label, "Acme");
	cr_expect_str_eq(p->client_secret, "hidden");
	cr_expect_str_eq(p->allowed, "groups:a hd:b.example");
	cr_expect(p->trust_email && p->follow && p->new_people == 7);
	cr_expect_str_eq(conf.secret_files[0], path);
}

Test(conf_oidc, by_the_environment)
{
	setenv("PLANWRIGHT_OIDC_PROVIDERS", "acme", 1);
	setenv("PLANWRIGHT_OIDC_ACME_LABEL", "From outside", 1);
	cr_assert(load(SECRET "oidc_providers = acme\noidc_acme_issuer = http://127.0.0.1:9\n"
			      "oidc_acme_client_id = x\n"),
		"%s", error);
	cr_expect_str_eq(conf.oidc.of[0].label, "From outside");
}

Test(conf_oidc, wrong_names)
{
	refused(SECRET "oidc_providers = Acme\n", "oidc_providers has a name that is not");
	refused(SECRET "oidc_providers = a-b\n", "oidc_providers has a name that is not");
	refused(SECRET "oidc_providers = abcdefghijklmnopqrstu\n",
		"oidc_providers has a name that is not");
	refused(SECRET "oidc_providers = a b a\n", "oidc_providers contains a name twice");
	refused(SECRET "oidc_providers = a b c d e f g h i\n",
		"oidc_providers has more than 8 names");
	refused(SECRET "oidc_acme_issuer = https://x.example\n",
		"there is no setting oidc_acme_issuer");
}

Test(conf_oidc, wrong_values)
{
	static const char *const issuers[] = { "http://id.example", "https://", "https:///x",
		"id.example", "https://id.example/?x", "https://id.example/#x",
		"https://me@id.example", "http://127.0.0.1.example", "http://localhost.example",
		"http://1270.0.1/" };
	for (size_t i = 0; i < sizeof issuers / sizeof *issuers; i++) {
		char text[400];
		str_print(text, sizeof text,
			SECRET "oidc_providers = a\noidc_a_client_id = x\noidc_a_issuer = %s\n",
			issuers[i]);
		refused(text, "oidc_a_issuer is not an address");
	}
	refused(SECRET "oidc_providers = a\noidc_a_client_id = x\n", "oidc_a_issuer is not set");
	refused(SECRET "oidc_providers = a\noidc_a_issuer = https://x.example\n",
		"oidc_a_client_id is not set");
	refused(ACME "oidc_acme_allowed = groups\n", "oidc_acme_allowed is not of the form");
	refused(ACME "oidc_acme_allowed = groups:\n", "oidc_acme_allowed is not of the form");
	refused(ACME "oidc_acme_allowed = a:b :c\n", "oidc_acme_allowed is not of the form");
	refused(ACME "oidc_acme_admins = role:boss\n", "oidc_acme_admins needs the account");
	refused(ACME "oidc_acme_trust_email = perhaps\n", "oidc_acme_trust_email");
	refused(ACME "oidc_acme_new_people = -1\n", "oidc_acme_new_people");
	refused(SECRET "session_max_hours = 0\n", "session_max_hours");
}

Test(conf_oidc, issuers_of_this_host)
{
	static const char *const issuers[] = { "http://127.0.0.1:8080", "http://localhost/x",
		"http://[::1]:80" };
	for (size_t i = 0; i < sizeof issuers / sizeof *issuers; i++) {
		char text[400];
		str_print(text, sizeof text,
			SECRET "oidc_providers = a\noidc_a_client_id = x\noidc_a_issuer = %s\n",
			issuers[i]);
		cr_expect(load(text), "%s", error);
	}
}
