#include "transfer/common/intake.h"

#include <stdarg.h>
#include <stdio.h>

#include "lib/buf.h"
#include "model/model.h"

const char *const intake_kinds[INTAKE__MAX] = {
	[INTAKE_PROJECT] = "project",
	[INTAKE_PERSON] = "person",
	[INTAKE_MEMBERSHIP] = "membership",
	[INTAKE_LABEL] = "label",
	[INTAKE_EPIC] = "epic",
	[INTAKE_STORY] = "story",
	[INTAKE_TASK] = "task",
	[INTAKE_COMMENT] = "comment",
	[INTAKE_REVIEW_TYPE] = "review_type",
#define WORD(one, ONE, ...) [INTAKE_##ONE] = #one,
	STORY_PARTS(WORD)
#undef WORD
		[INTAKE_FILE] = "file_attachment",
	[INTAKE_GOOGLE] = "google_attachment",
	[INTAKE_TRANSITION] = "story_transition",
	[INTAKE_ACTIVITY] = "activity",
	[INTAKE_OVERRIDE] = "iteration_override",
	[INTAKE_SAVED_SEARCH] = "saved_search",
	[INTAKE_WEBHOOK] = "webhook",
	[INTAKE_INTEGRATION] = "integration",
};

const struct resource *intake_resource(enum intake_kind kind)
{
	static const struct resource *const resources[INTAKE__MAX] = {
		[INTAKE_PROJECT] = &res_project,
		[INTAKE_PERSON] = &res_person,
		[INTAKE_MEMBERSHIP] = &res_project_membership,
		[INTAKE_LABEL] = &res_label,
		[INTAKE_EPIC] = &res_epic,
		[INTAKE_STORY] = &res_story,
		[INTAKE_TASK] = &res_task,
		[INTAKE_COMMENT] = &res_comment,
		[INTAKE_REVIEW_TYPE] = &res_review_type,
#define RESOURCE(one, ONE, ...) [INTAKE_##ONE] = &res_##one,
		STORY_PARTS(RESOURCE)
#undef RESOURCE
			[INTAKE_FILE] = &res_file_attachment,
		[INTAKE_GOOGLE] = &res_google_attachment,
		[INTAKE_TRANSITION] = &res_story_transition,
		[INTAKE_ACTIVITY] = &res_activity,
		[INTAKE_OVERRIDE] = &res_iteration_override,
		[INTAKE_SAVED_SEARCH] = &res_saved_search,
		[INTAKE_WEBHOOK] = &res_webhook,
		[INTAKE_INTEGRATION] = &res_integration,
	};
	return resources[kind];
}

/* Names in files may hold anything, and are cut where they are long: a message is a line of text. */
static void make_line(struct buf *text)
{
	for (size_t i = 0; i < text->n; i++) {
		unsigned char c = (unsigned char)text->p[i];
		size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
		if (c < 0x20 || c == 0x7f)
			text->p[i] = ' ';
		else if (n > text->n - i || !str_is_text((struct str){ text->p + i, n }))
			text->p[i] = '?';
		else
			i += n - 1;
	}
}

static void say(struct intake *in, struct intake_remark *remark, struct buf *text)
{
	make_line(text);
	remark->message = buf_str(text);
	in->remark(in, remark);
	buf_free(text);
}

void intake_say(struct intake *in, enum intake_severity severity, struct intake_place at,
	int64_t id, const char *column, const char *code, const char *format, ...)
{
	struct buf text = { 0 };
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	say(in,
		&(struct intake_remark){
			.severity = severity, .at = at, .id = id, .column = column, .code = code },
		&text);
}

void intake_lose_file(struct intake *in, struct intake_place at, int64_t id,
	const struct intake_why *why, const char *format, ...)
{
	struct buf text = { 0 };
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	buf_put_char(&text, ' ');
	buf_put_str(&text, why->text);
	say(in,
		&(struct intake_remark){ .severity = INTAKE_LOST,
			.at = at,
			.id = id,
			.code = why->code,
			.is_whole = true,
			.kind = INTAKE_FILE },
		&text);
}
