/* planwrightctl status: the numbers of http/status.h, for people or programs. */
#include <stdio.h>

#include "http/status.h"
#include "programs/ctl/ctl.h"

void ctl_status(struct ctl *c)
{
	struct status s;
	struct rows *rows;
	struct buf out = { 0 };
	struct json json;

	/*
	 * The secret determines the name of the workers' file; without the database, nothing could
	 * tell whether it is right.
	 */
	if (!c->conf.secret || !crypt_init(&c->crypt, str_of(c->conf.secret)))
		ctl_fail(c,
			"status: the setting secret is missing: run it as the user of the workers");
	status_look(&s, &c->conf, &c->crypt, &c->arena);
	if (!db_run(c->db, STMT_STATUS_QUEUES, 0, NULL, &rows))
		status_take(&s, rows);
	if (c->options[CTL_PROMETHEUS]) {
		status_put_prometheus(&s, &out);
	} else if (c->options[CTL_JSON]) {
		json_init(&json, &out);
		status_put_json(&s, &json);
		buf_put_char(&out, '\n');
	} else {
		status_put_text(&s, &out);
	}
	fwrite(out.p, 1, out.n, stdout);
	buf_free(&out);
	if (!s.has_database) {
		fflush(stdout);
		ctl_fail(c, "status: %s: " CTL_DATABASE_AWAY, db_problem(c->db));
	}
}
