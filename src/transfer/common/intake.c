#include "transfer/common/intake.h"

#include <stdarg.h>
#include <stdio.h>

#include "lib/buf.h"
#include "model/model.h"

/* X(kind, word, resource), for all but the parts of stories, which have rows of their own. */
/* clang-format off */
#define KINDS(X)										\
	X(PROJECT, project, project) X(PERSON, person, person)					\
	X(MEMBERSHIP, membership, project_membership) X(LABEL, label, label)			\
	X(EPIC, epic, epic) X(STORY, story, story) X(TASK, task, task)				\
	X(COMMENT, comment, comment) X(REVIEW_TYPE, review_type, review_type)			\
	X(FILE, file_attachment, file_attachment)						\
	X(GOOGLE, google_attachment, google_attachment)						\
	X(TRANSITION, story_transition, story_transition) X(ACTIVITY, activity, activity)	\
	X(OVERRIDE, iteration_override, iteration_override)					\
	X(SAVED_SEARCH, saved_search, saved_search) X(WEBHOOK, webhook, webhook)		\
	X(INTEGRATION, integration, integration)
#define WORD(KIND, word, resource) [INTAKE_##KIND] = #word,
#define PART_WORD(one, ONE, ...) [INTAKE_##ONE] = #one,
#define RESOURCE(KIND, word, resource) [INTAKE_##KIND] = &res_##resource,
#define PART_RESOURCE(one, ONE, ...) [INTAKE_##ONE] = &res_##one,

const char *const intake_kinds[INTAKE__MAX] = { KINDS(WORD) STORY_PARTS(PART_WORD) };

const struct resource *intake_resource(enum intake_kind kind)
{
	static const struct resource *const resources[INTAKE__MAX] = {
		KINDS(RESOURCE) STORY_PARTS(PART_RESOURCE)
	};
	return resources[kind];
}
/* clang-format on */

bool intake_goes_on(struct intake *in)
{
	return !in->goes_on || in->goes_on(in);
}

/*
 * Names in files may contain anything, and cutting long ones may break a character; but a message
 * is a line of text.
 */
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
