#include "transfer/settle/import_sentences.h"

#include <string.h>

#include "domain/arrival.h"
#include "lib/buf.h"
#include "lib/log.h"

const struct import_sentence import_sentences[] = {
	{ "future", INTAKE_LOST, "{field}", "in_future",
		"{field} of the {kind} is in the future, {was}: it becomes {gets}, the day of "
		"the import" },
	{ "before_created", INTAKE_CHANGED, "updated_at", "before_created",
		"updated_at of the {kind} is before created_at, {was}: it becomes {gets}" },
	{ "accepted_in_future", INTAKE_LOST, "accepted_at", "in_future",
		"accepted in the future, {was}: accepted_at becomes {gets}" },
	{ "no_acceptance", INTAKE_CHANGED, "accepted_at", "no_acceptance",
		"accepted without a date: accepted_at becomes {gets}, the last date known for it" },
	{ "created_in_future", INTAKE_LOST, "created_at", "in_future",
		"created in the future, {was}: created_at becomes {gets}" },
	{ "no_creation", INTAKE_CHANGED, "created_at", "no_creation",
		"without a creation date: created_at becomes {gets}" },
	{ "created_later", INTAKE_LOST, "created_at", "created_later",
		"created after it was accepted, {was}: created_at becomes {gets}" },
	{ "epic_no_creation", INTAKE_CHANGED, "created_at", "no_creation",
		"an epic without a creation date: created_at becomes {gets}" },
	{ "undated", INTAKE_CHANGED, "created_at", "no_creation",
		"{many} stories and epics have no creation date: they get that of acceptance, or "
		"of the import" },
	{ "off_scale", INTAKE_NOTE, "estimate", "off_scale",
		"the estimate {estimate} is not on the point scale {scale}, and is kept" },
	{ "no_estimate", INTAKE_NOTE, "estimate", "no_estimate",
		"an accepted feature without an estimate" },
	{ "estimate_of_type", INTAKE_NOTE, "estimate", "estimate_of_type",
		"a {type} has no estimate in this project: {estimate} is kept" },
	{ "state_of_type", INTAKE_NOTE, "current_state", "state_of_type",
		"a {type} is never {state} in the original: the state is kept" },
	{ "many_owners", INTAKE_NOTE, "owner_ids", "many_owners",
		"{owners} owners, where the original allows three: they are kept" },
	{ "bad_override", INTAKE_LOST, "{field}", "bad_value",
		"iteration {number} keeps its usual {field}: {why}" },
	{ "no_iteration", INTAKE_LOST, "number", "bad_value",
		"there is no iteration {number}: its length and its team strength were not "
		"imported" },
	{ "id_taken", INTAKE_ERROR, NULL, "id_taken",
		"the id {was} of a {kind} is in use here: give --renumber" },
	{ "renumbered", INTAKE_CHANGED, NULL, "renumbered",
		"the {kind} {was} gets the id {gets} here" },
	{ "changed_here", INTAKE_NOTE, NULL, "changed_here",
		"the {kind} was changed here and is kept: --overwrite replaces it with that of "
		"the file" },
	{ "deleted_here", INTAKE_NOTE, NULL, "deleted_here",
		"the {kind} was deleted here and stays deleted: --overwrite creates it again" },
	{ "story_days", INTAKE_NOTE, "created_at", "day_only",
		"{many} stories have days without times: they are set to noon" },
	{ "planned_by_hand", INTAKE_CHANGED, "current_state", "planned_by_hand",
		"planned requires manual planning: the story becomes unstarted, at the top of "
		"the backlog" },
	{ "not_accepted", INTAKE_LOST, "accepted_at", "not_accepted",
		"a story that is {state} cannot have a date of acceptance: {accepted}" },
	{ "no_release", INTAKE_LOST, "deadline", "no_release",
		"a {type} cannot have a deadline: {deadline}" },
	{ "no_name", INTAKE_CHANGED, "name", "no_name",
		"without a title: it is called " ARRIVAL_UNTITLED },
	{ "epic_no_name", INTAKE_CHANGED, "name", "no_name",
		"an epic without a title: it is called " ARRIVAL_UNTITLED },
	{ "comment_days", INTAKE_NOTE, "comment", "day_only",
		"{many} comments have days without times: they are set to noon" },
	{ "no_author", INTAKE_CHANGED, "comment", "no_author",
		"a comment without an author, which is by " ARRIVAL_NOBODY ": {was}" },
	{ "no_date", INTAKE_CHANGED, "comment", "no_date",
		"a comment without a date, which gets that of the comment before it, or of the "
		"story: {was}" },
	{ "comment_for_files", INTAKE_CHANGED, "file", "comment_for_files",
		"files belong to comments: one was created for those of this story" },
	{ "file_no_content", INTAKE_LOST, "file", "no_content",
		"the content of the file {was} is missing" },
	{ "file_no_place", INTAKE_LOST, "file", "no_place",
		"the file {was} belongs to nothing that exists here" },
	{ "no_place", INTAKE_LOST, "{kind}", "no_place",
		"the {kind} belongs to a story or an epic that does not exist here: {was}" },
	{ "no_time", INTAKE_LOST, "Occurred At", "no_time", "an activity without a time: {was}" },
	{ "no_story", INTAKE_CHANGED, "ID", "no_story",
		"what happened to a story that does not exist here is listed only for the "
		"project: {was}" },
};
const int import_sentences_count = sizeof import_sentences / sizeof *import_sentences;

const struct import_sentence *import_sentence_of(struct str name)
{
	for (int i = 0; i < import_sentences_count; i++)
		if (str_equal_z(name, import_sentences[i].name))
			return &import_sentences[i];
	log_die("imports have no sentence %.*s", (int)name.n, name.p);
}

void import_sentence_print(struct buf *to, const char *text,
	struct str (*value_of)(const void *of, const char *name), const void *of)
{
	char name[32];
	for (const char *place; (place = strchr(text, '{')); text = strchr(place, '}') + 1) {
		buf_put(to, text, (size_t)(place - text));
		str_print(name, sizeof name, "%.*s", (int)strcspn(place + 1, "}"), place + 1);
		buf_put_str(to, value_of(of, name));
	}
	buf_put_z(to, text);
}
