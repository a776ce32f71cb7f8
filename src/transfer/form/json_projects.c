#include "transfer/form/json_projects.h"

#include <string.h>

#include "transfer/common/nested_intake.h"
#include "transfer/form/json_read.h"
#include "transfer/form/v5_value.h"

void json_projects_init(struct json_projects *p, struct intake *in, int file, const char *where)
{
	memset(p, 0, sizeof(*p));
	p->in = in;
	p->file = file;
	p->where = where;
}

static struct json_project *find(struct json_projects *p, int64_t id)
{
	size_t i = 0;

	while (i < p->n && p->projects[i].id != id)
		i++;
	if (i < p->n)
		return &p->projects[i];
	if (p->n == JSON_PROJECTS_MAX)
		return NULL;
	p->projects[p->n].id = id;
	return &p->projects[p->n++];
}

/* Finds "project_id": N, whatever is around it. */
static void scan(struct json_projects *p, const char *text, size_t n)
{
	static const char key[] = "\"project_id\"";
	const char *end = text + n, *at = text;

	while ((at = memmem(at, (size_t)(end - at), key, sizeof(key) - 1))) {
		int64_t id = 0;
		int digits = 0;

		at += sizeof(key) - 1;
		while (at < end && (*at == ' ' || *at == ':'))
			at++;
		for (; at < end && *at >= '0' && *at <= '9' && digits < 18; at++, digits++)
			id = id * 10 + (*at - '0');
		if (digits && at < end)
			find(p, id);
	}
}

/* The end of a chunk is scanned again with the next one. */
static enum rc scan_all(struct json_projects *p, struct intake_bytes *bytes)
{
	enum { TAIL = 64 };
	char text[64 * 1024];
	size_t kept = 0;
	int64_t got;

	while ((got = bytes->read(bytes, text + kept, sizeof(text) - kept)) > 0) {
		if (!intake_goes_on(p->in))
			return RC_UNAVAILABLE;
		const size_t n = kept + (size_t)got;

		scan(p, text, n);
		kept = n < TAIL ? n : TAIL;
		memmove(text, text + n - kept, kept);
	}
	return RC_OK;
}

/* Notes a project's name, and how much there is of the project. */
static enum rc look(struct v5 *v, enum v5_kind kind, const struct body *record)
{
	struct json_projects *p = v->content_of;
	const bool is_project = kind == (enum v5_kind)INTAKE_PROJECT;
	const int64_t id = v5_int(body_get(record, is_project ? "id" : "project_id"));
	struct json_project *project = id == NIL ? NULL : find(p, id);
	const struct str name = v5_text(record, "name");

	if (!project)
		return RC_OK;
	if (is_project)
		str_print(project->name, sizeof(project->name), "%.*s", (int)name.n, name.p);
	project->stories += kind == (enum v5_kind)INTAKE_STORY ||
		kind == (enum v5_kind)INTAKE_EPIC || kind == V5_ITERATION;
	return RC_OK;
}

static void say_nothing(struct intake *in, const struct intake_remark *remark)
{
	(void)in;
	(void)remark;
}

enum rc json_projects_look(struct json_projects *p, int pass, struct intake_bytes *bytes)
{
	struct nested_intake silent;
	struct v5 v;
	bool refused;

	if (pass == 0)
		return scan_all(p, bytes);
	if (p->n < 2)
		return RC_OK;
	nested_intake_init(&silent, p->in, p->where, "");
	silent.intake.remark = say_nothing;
	v5_init(&v, &silent.intake, p->file, p->where);
	v.look = look;
	v.content_of = p;
	enum rc rc = json_read(&v, bytes, V5_UNKNOWN, &refused);
	v5_free(&v);
	return rc;
}

bool json_projects_choose(struct json_projects *p, int64_t *project)
{
	const struct json_project *chosen = NULL;
	size_t full = 0;
	struct buf names = { 0 };

	*project = NIL;
	for (size_t i = 0; i < p->n; i++) {
		const struct json_project *one = &p->projects[i];

		if (one->stories == 0)
			continue;
		buf_printf(&names, "%s%lld %s", full++ ? ", " : "", (long long)one->id, one->name);
		if (one->id == p->in->project_id ||
			(p->in->project && *one->name && strcmp(p->in->project, one->name) == 0) ||
			!chosen)
			chosen = one;
	}
	const bool is_named = chosen &&
		(chosen->id == p->in->project_id ||
			(p->in->project && strcmp(p->in->project, chosen->name) == 0));
	if (p->n > 1 && chosen)
		*project = chosen->id;
	if (full > 1 && !is_named)
		intake_say(p->in, INTAKE_ERROR, (struct intake_place){ .file = p->file }, NIL, NULL,
			"several_projects",
			"%s has stories of several projects (%.*s): give the project the name of "
			"one, or import only its files",
			p->where, (int)names.n, names.p);
	buf_free(&names);
	return full < 2 || is_named;
}
