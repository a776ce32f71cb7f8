/* How changes appear in the audit log, and with which values. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "domain/audit.h"
#include "model/model.h"

static struct arena arena;

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(audit, .fini = teardown);

static void is(struct str s, const char *wanted)
{
	cr_expect(str_equal_z(s, wanted), "%.*s, not %s", (int)s.n, s.p ? s.p : "", wanted);
}

static struct webhook *hook(const char *url)
{
	struct webhook *w = object_new(&arena, &res_webhook);
	w->id = 7;
	w->project_id = 3;
	w->webhook_url = str_of(url);
	w->secret = STR("sesame");
	return w;
}

static bool tells(const struct resource *of, const void *old, void *new, struct audit_entry *e)
{
	const struct change c = { .type = !old ? CHANGE_CREATE
			: !new                 ? CHANGE_DELETE
					       : CHANGE_UPDATE,
		.of = of,
		.old = old,
		.new = new };
	return audit_change(&arena, &c, e);
}

Test(audit, of_a_url_only_the_site_is_told)
{
	static const char *const urls[][2] = {
		{ "https://a.example/x?k=1", "https://a.example" },
		{ "https://a.example", "https://a.example" },
		{ "https://a.example:8443/", "https://a.example:8443" },
		{ "https://ada:pw@a.example/x", "https://a.example" },
		{ "https://ada:p@w@a.example#x@y", "https://a.example" },
		{ "https://a.example?@b", "https://a.example" },
		{ "a.example/x", "" },
		{ "mailto:ada", "" },
		{ "https:/", "" },
		{ "", "" },
	};
	for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
		struct audit_entry e;
		char wanted[200];
		snprintf(wanted, sizeof wanted, "{\"webhook_url\":\"%s\",\"enabled\":true}",
			urls[i][1]);
		struct webhook *w = hook(urls[i][0]);
		w->webhook_version = WORD_NONE;
		cr_assert(tells(&res_webhook, NULL, w, &e));
		is(e.new, wanted);
	}
}

Test(audit, a_secret_is_told_as_changed)
{
	struct audit_entry e;
	struct webhook *old = hook("https://a.example/"), *new = hook("https://a.example/");
	new->secret = STR("other");
	cr_assert(tells(&res_webhook, old, new, &e));
	cr_expect_eq(e.act, AUDIT_WEBHOOK_CHANGE);
	cr_expect_eq(e.project_id, 3);
	cr_expect_null(e.old.p);
	is(e.new, "{\"secret\":\"changed\"}");
}

Test(audit, what_changes_nothing_of_rights_is_not_told)
{
	struct audit_entry e;
	struct membership *old = object_new(&arena, &res_project_membership);
	struct membership *new = object_new(&arena, &res_project_membership);
	new->favorite = true;
	cr_expect_not(tells(&res_project_membership, old, new, &e));
	new->role = ROLE_OWNER;
	cr_assert(tells(&res_project_membership, old, new, &e));
	cr_expect_eq(e.act, AUDIT_ROLE_CHANGE);
	is(e.old, "{\"role\":\"member\"}");
	is(e.new, "{\"role\":\"owner\"}");
	cr_expect_not(tells(&res_story, NULL, object_new(&arena, &res_story), &e));
}

Test(audit, made_public_is_an_act_of_its_own)
{
	struct audit_entry e;
	struct project *old = object_new(&arena, &res_project);
	struct project *new = object_new(&arena, &res_project);
	old->account_id = 5;
	new->account_id = 6;
	cr_assert(tells(&res_project, old, new, &e));
	cr_expect_eq(e.act, AUDIT_PROJECT_CHANGE);
	cr_expect_eq(e.accounts.n, 2, "one that moves concerns both accounts");
	new->public = true;
	cr_assert(tells(&res_project, old, new, &e));
	cr_expect_eq(e.act, AUDIT_PROJECT_PUBLIC);
	cr_assert(tells(&res_project, new, old, &e));
	cr_expect_eq(e.act, AUDIT_PROJECT_CHANGE);
}

Test(audit, each_act_has_its_word)
{
	for (int i = 0; i < AUDIT__MAX; i++) {
		cr_assert(audit_words[i] && audit_docs[i]);
		for (int j = 0; j < i; j++)
			cr_expect_str_neq(audit_words[i], audit_words[j]);
	}
	cr_expect_null(audit_words[AUDIT__MAX]);
	is(audit_text(&arena, "reason", STR("a \"b\"")), "{\"reason\":\"a \\\"b\\\"\"}");
}
