#include "transfer/common/nested_intake.h"

static struct intake *outer_of(struct intake *in)
{
	return ((struct nested_intake *)in)->outer;
}

static enum rc put(struct intake *in, enum intake_kind kind, struct intake_place at,
	const struct record *record)
{
	struct intake *outer = outer_of(in);

	return outer->put(outer, kind, at, record);
}

static void remark(struct intake *in, const struct intake_remark *remark)
{
	const struct nested_intake *i = (const struct nested_intake *)in;
	char line[40] = "";

	if (remark->severity != INTAKE_ERROR) {
		i->outer->remark(i->outer, remark);
		return;
	}
	if (remark->at.line > 0)
		str_print(line, sizeof(line), ", line %lld", (long long)remark->at.line);
	intake_say(i->outer, remark->severity, remark->at, remark->id, remark->column, remark->code,
		"%s, %s%s: %.*s", i->where, i->path, line, (int)remark->message.n,
		remark->message.p);
}

static enum rc body(struct intake *in, struct intake_bytes *bytes, struct arena *a,
	struct str *word, struct intake_why *why)
{
	struct intake *outer = outer_of(in);

	return outer->body(outer, bytes, a, word, why);
}

static bool goes_on(struct intake *in)
{
	return intake_goes_on(outer_of(in));
}

static bool is_name(struct intake *in, struct str name)
{
	struct intake *outer = outer_of(in);

	return outer->is_name && outer->is_name(outer, name);
}

void nested_intake_init(
	struct nested_intake *i, struct intake *outer, const char *where, const char *path)
{
	*i = (struct nested_intake){ *outer, outer, where, path };
	i->intake.put = put;
	i->intake.remark = remark;
	i->intake.body = body;
	i->intake.goes_on = goes_on;
	i->intake.is_name = is_name;
}
