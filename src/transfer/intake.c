#include "transfer/intake.h"

#include <stdarg.h>
#include <stdio.h>

#include "lib/buf.h"

const char *const intake_kinds[INTAKE__MAX] = {
	[INTAKE_PROJECT] = "project",
	[INTAKE_PERSON] = "person",
	[INTAKE_MEMBERSHIP] = "membership",
	[INTAKE_LABEL] = "label",
	[INTAKE_EPIC] = "epic",
	[INTAKE_STORY] = "story",
	[INTAKE_TASK] = "task",
	[INTAKE_COMMENT] = "comment",
	[INTAKE_BLOCKER] = "blocker",
	[INTAKE_REVIEW_TYPE] = "review_type",
	[INTAKE_REVIEW] = "review",
	[INTAKE_PULL_REQUEST] = "pull_request",
	[INTAKE_BRANCH] = "branch",
	[INTAKE_CICD] = "cicd_event",
	[INTAKE_FILE] = "file_attachment",
	[INTAKE_GOOGLE] = "google_attachment",
	[INTAKE_TRANSITION] = "story_transition",
	[INTAKE_ACTIVITY] = "activity",
	[INTAKE_OVERRIDE] = "iteration_override",
	[INTAKE_SAVED_SEARCH] = "saved_search",
	[INTAKE_WEBHOOK] = "webhook",
	[INTAKE_INTEGRATION] = "integration",
};

void intake_say(struct intake *in, enum intake_severity severity, struct intake_place at,
	int64_t id, const char *column, const char *code, const char *format, ...)
{
	struct buf text = { 0 };
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	const struct intake_remark remark = { severity, at, id, column, code, buf_str(&text) };
	in->remark(in, &remark);
	buf_free(&text);
}
