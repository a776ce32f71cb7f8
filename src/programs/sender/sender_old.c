/* Activities of webhooks that ask for a retired version. */
#include "old/old_event.h"
#include "programs/sender/sender.h"
#include "store/old_names.h"

static enum rc find_names(struct sender *s, struct sender_job *job, const struct body *activity,
	struct old_names *names)
{
	struct ids people = { 0 }, labels = { 0 };
	struct rows *rows;
	old_event_ids(&job->arena, activity, &people, &labels);
	const struct db_param params[] = { db_ids(&s->arena, people.v, people.n),
		db_ids(&s->arena, labels.v, labels.n) };
	if (people.n + labels.n == 0)
		return RC_OK;
	enum rc rc = sender_ask(s, STMT_OLD_NAMES, 2, params, &rows);
	if (rc)
		return rc;
	old_names_take(&job->arena, rows, names);
	sender_end(s);
	return RC_OK;
}

enum rc sender_turn_old(struct sender *s, struct sender_job *job, struct str version, bool *told)
{
	const struct body *activity = body_parse_own(&job->arena, buf_str(&job->body));
	struct old_names names = { 0 };
	*told = activity && old_event_is_told(activity);
	enum rc rc = *told ? find_names(s, job, activity, &names) : RC_OK;
	if (rc || !*told)
		return rc;
	struct old_render render = { .arena = &job->arena,
		.version = str_equal_z(version, "v3") ? OLD_V3 : OLD_V4,
		.base_url = s->conf.base_url };
	job->body.n = 0;
	xml_init(&render.xml, &job->body);
	old_render_event(&render, activity, &names);
	return RC_OK;
}
