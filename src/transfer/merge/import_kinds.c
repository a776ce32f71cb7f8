#include "transfer/merge/import_kinds.h"

#include <string.h>

#include "lib/log.h"

#define OF_PROJECT "t.project_id = r.project_id"
#define IN_PROJECT "x.project_id = r.project_id"
#define AT_STORY "t.story_id = m.story_id"
#define AT_THING "(t.story_id = m.story_id or t.epic_id = m.epic_id)"
#define OF_STORIES "x.story_id in (select p.id from import_story p)"
#define OF_THINGS                                                                                  \
	"(x.story_id in (select p.id from import_story p)"                                         \
	" or x.epic_id in (select p.id from import_epic p))"
#define COMMENT_KEY "x.story_id, x.epic_id, md5(coalesce(x.text, ''))"
#define CODE_KEY(what) "x.story_id, x.epic_id, md5(" what ")"
#define PULL_OF(row, number)                                                                       \
	"format('%s|%s|%s|%s', " row ".host_url, " row ".owner, " row ".repo, " number ")"
#define BRANCH_OF(row)                                                                             \
	"format('%s|%s|%s|%s', " row ".owner, " row ".repo, " row ".name, " row ".original_url)"
#define PULL_NUMBER "coalesce(s.number::text, s.original_url)"
#define NTH(key) "row_number() over (partition by " key " order by x.id)"

/* What a table of stories does not say about a comment. */
#define BESIDE_TEXT "commit_identifier commit_type external_source external_author external_link"
#define NTH_HASH(format, key, nth) "md5(format('" format "', " key ", " NTH(nth) "))::uuid"

/* A part of a story that is identified by a text, which TEXT(row) takes from its row. */
#define STORY_PART(KIND, TEXT)                                                                     \
	{ KIND, .is_plain = true, .here = AT_STORY, .mine = OF_STORIES,                            \
		.natural = NTH_HASH(                                                               \
			"%s|%s|%s", "x.story_id, md5(" TEXT("x") ")", "x.story_id, " TEXT("x")),   \
		.parent = "s.story_id::text", .alike = TEXT("s"),                                  \
		.merge = STMT_IMPORT_MERGE_PART }

/*
 * What links a story or an epic to a repository: WHICH identifies a staged row s there, OWN a row x
 * of the table.
 */
#define CODE_LINK(KIND, WHICH, OWN, ALIKE)                                                         \
	{ KIND, .is_plain = true, .here = AT_THING, .mine = OF_THINGS,                             \
		.natural = NTH_HASH("%s|%s|%s|%s", CODE_KEY(OWN), CODE_KEY(OWN)),                  \
		.parent = "format('%s|%s', s.story_id, s.epic_id)", .which = WHICH,                \
		.alike = ALIKE, .merge = STMT_IMPORT_MERGE_CODE_LINK }
#define BUILD(row) "format('%s|%s|%s', " row ".provider, " row ".name, " row ".url)"

const struct import_kind import_kinds[] = {
	{ INTAKE_LABEL, .here = OF_PROJECT, .natural = "md5(x.name)::uuid", .mine = IN_PROJECT,
		.merge = STMT_IMPORT_MERGE_LABEL },
	{ INTAKE_INTEGRATION, .here = OF_PROJECT,
		.natural = NTH_HASH("%s|%s|%s", "x.kind, x.name", "x.kind, x.name"),
		.mine = IN_PROJECT, .merge = STMT_IMPORT_MERGE_INTEGRATION },
	/* A table of stories does not say who follows an epic. */
	{ INTAKE_EPIC, .also = ", rank", .apart = "follower_ids", .here = OF_PROJECT,
		.natural = "md5((select l.name from label l where l.id = x.label_id))::uuid",
		.mine = IN_PROJECT, .merge = STMT_IMPORT_MERGE_EPIC },
	{ INTAKE_STORY, .also = ", rank", .here = OF_PROJECT, .merge = STMT_IMPORT_MERGE_STORY },
	/* Reviews name their types in any case: CODE is Code. */
	{ INTAKE_REVIEW_TYPE, .is_plain = true, .apart = "hidden", .told_by = "lower(name)",
		.here = OF_PROJECT, .natural = "md5(lower(x.name))::uuid", .mine = IN_PROJECT,
		.merge = STMT_IMPORT_MERGE_REVIEW_TYPE },
	{ INTAKE_TASK, .is_plain = true, .here = AT_STORY,
		.natural = NTH_HASH("%s|%s|%s", "x.story_id, md5(x.description)",
			"x.story_id, md5(x.description)"),
		.mine = OF_STORIES, .parent = "s.story_id::text", .alike = "s.description",
		.merge = STMT_IMPORT_MERGE_TASK },
	{ INTAKE_COMMENT, .here = AT_THING,
		.natural = NTH_HASH("%s|%s|%s|%s", COMMENT_KEY, COMMENT_KEY), .mine = OF_THINGS,
		.parent = "format('%s|%s', coalesce(s.story_id, s.number), s.epic_id)",
		.alike = "coalesce(s.text, '')", .apart = BESIDE_TEXT,
		.merge = STMT_IMPORT_MERGE_COMMENT },
	{ INTAKE_BLOCKER, .also = ", blocking_story_ids", .here = AT_STORY,
		.natural = NTH_HASH("%s|%s|%s", "x.story_id, md5(x.description)",
			"x.story_id, md5(x.description)"),
		.mine = OF_STORIES, .parent = "s.story_id::text", .alike = "s.description",
		.merge = STMT_IMPORT_MERGE_BLOCKER },
	{ INTAKE_REVIEW, .is_plain = true, .here = AT_STORY,
		.natural = NTH_HASH("%s|%s|%s|%s", "x.story_id, x.review_type_id, x.reviewer_id",
			"x.story_id, x.review_type_id, x.reviewer_id"),
		.mine = OF_STORIES, .parent = "s.story_id::text",
		.alike = "lower(coalesce(s.type, (select y.name"
			 " from staged_review_type y where y.id = s.review_type_id limit 1), ''))",
		.merge = STMT_IMPORT_MERGE_REVIEW },
	CODE_LINK(INTAKE_PULL_REQUEST, PULL_OF("s", PULL_NUMBER), PULL_OF("x", "x.number"),
		"format('%s/%s/%s', s.owner, s.repo, " PULL_NUMBER ")"),
	CODE_LINK(INTAKE_BRANCH, BRANCH_OF("s"), BRANCH_OF("x"), "s.name"),
	STORY_PART(INTAKE_CICD_EVENT, BUILD),
	/* The bytes of a file never change. */
	{ INTAKE_FILE, .also = ", project_id",
		.apart = "uploader_id content_type size width height thumbnailable created_at",
		.told_by = "comment_id, filename", .here = OF_PROJECT,
		.merge = STMT_IMPORT_MERGE_FILE_ATTACHMENT },
	{ INTAKE_GOOGLE, .here = "t.comment_id = m.comment_id",
		.natural = NTH_HASH("%s|%s|%s|%s", "x.comment_id, x.google_id, x.title",
			"x.comment_id, x.google_id, x.title"),
		.mine = "x.comment_id in (select c.id from merged_comment c)",
		.merge = STMT_IMPORT_MERGE_GOOGLE_ATTACHMENT },
	{ INTAKE_SAVED_SEARCH, .is_plain = true, .here = OF_PROJECT,
		.natural = NTH_HASH("%s|%s|%s", "x.person_id, x.name", "x.person_id, x.name"),
		.mine = IN_PROJECT, .merge = STMT_IMPORT_MERGE_SAVED_SEARCH },
	{ INTAKE_WEBHOOK, .here = OF_PROJECT,
		.natural = NTH_HASH("%s|%s", "x.webhook_url", "x.webhook_url"), .mine = IN_PROJECT,
		.merge = STMT_IMPORT_MERGE_WEBHOOK },
};
const int import_kinds_count = sizeof import_kinds / sizeof *import_kinds;

const struct import_kind *import_kind_of(enum intake_kind kind)
{
	for (int i = 0; i < import_kinds_count; i++)
		if (import_kinds[i].kind == kind)
			return &import_kinds[i];
	log_die("import_kinds has no row for %s", intake_kinds[kind]);
}
