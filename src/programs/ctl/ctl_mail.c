/* planwrightctl mail: whether the settings for mail are right. */
#include <stdio.h>
#include <time.h>

#include "programs/ctl/ctl.h"
#include "service/mailer.h"

void ctl_mail_test(struct ctl *c)
{
	struct mailer mailer;
	const struct message message = { .from = str_of(c->conf.mail_from),
		.to = str_of(c->word),
		.subject = STR("Test of planwright"),
		.body = STR("This email was sent by planwrightctl mail test.\n"),
		.id = arena_printf(&c->arena, "test.%lld.%.*s", (long long)time(NULL), 8,
			crypt_token(&c->arena).p),
		.at = (int64_t)time(NULL) };

	if (!conf_has_mail(&c->conf))
		ctl_fail(c, "email is off: set smtp_url and mail_from; see planwright.conf(5)");
	if (curl_global_init(CURL_GLOBAL_ALL))
		ctl_fail(c, "libcurl cannot be initialized");
	CURL *easy = mailer_new(&mailer, &c->conf, &message);
	const char *problem =
		easy ? mailer_problem(&mailer, curl_easy_perform(easy)) : mailer.error;
	if (problem)
		ctl_fail(c, "the email was not sent: %s", problem);
	curl_easy_cleanup(easy);
	mailer_free(&mailer);
	printf("%s accepted the email to %s\n", c->conf.smtp_url, c->word);
}
