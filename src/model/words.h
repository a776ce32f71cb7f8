/*
 * Enumerations: the words of the API used in rows and rules, each defined once: an enum names
 * them in C, and the table next to it spells them, in the same order, as a field's `.words` needs
 * it (null-terminated).
 */
#ifndef WORDS_H
#define WORDS_H

enum { WORD_NONE = -1 }; /* no word: the column is null */

enum story_type { TYPE_FEATURE, TYPE_BUG, TYPE_CHORE, TYPE_RELEASE };
extern const char *const words_story_types[];

enum story_state {
	STATE_ACCEPTED,
	STATE_DELIVERED,
	STATE_FINISHED,
	STATE_STARTED,
	STATE_REJECTED,
	STATE_PLANNED,
	STATE_UNSTARTED,
	STATE_UNSCHEDULED,
};
enum { STATES = STATE_UNSCHEDULED + 1 };
extern const char *const words_story_states[];

enum story_priority { PRIORITY_P0, PRIORITY_P1, PRIORITY_P2, PRIORITY_P3, PRIORITY_NONE };
extern const char *const words_story_priorities[];

/* Where a write places a story, in addition to or instead of a neighbour. */
enum story_group { GROUP_SCHEDULED, GROUP_UNSCHEDULED, GROUP_CURRENT };
extern const char *const words_story_groups[];

/*
 * The parts of a project's order, from the top (contract 1.8, 5.5): the values of story.section,
 * and the indexes of project.story_counts.
 */
enum section { SECTION_DONE, SECTION_WORK, SECTION_PLANNED, SECTION_BACKLOG, SECTION_ICEBOX };
enum { SECTIONS = SECTION_ICEBOX + 1 };

enum role { ROLE_OWNER, ROLE_MEMBER, ROLE_VIEWER };
extern const char *const words_roles[];

/* As answers show them; requests may write them in any case. */
enum week_day {
	DAY_SUNDAY,
	DAY_MONDAY,
	DAY_TUESDAY,
	DAY_WEDNESDAY,
	DAY_THURSDAY,
	DAY_FRIDAY,
	DAY_SATURDAY,
};
extern const char *const words_week_days[];

enum project_type { PROJECT_DEMO, PROJECT_PRIVATE, PROJECT_PUBLIC, PROJECT_SHARED };
extern const char *const words_project_types[];

/* From lax to strict. */
enum second_factor_policy { SECOND_FACTOR_OFF, SECOND_FACTOR_OPTIONAL, SECOND_FACTOR_REQUIRED };
extern const char *const words_second_factor[];

enum review_status { REVIEW_UNSTARTED, REVIEW_IN_REVIEW, REVIEW_PASS, REVIEW_REVISE };
extern const char *const words_review_statuses[];

/* Words that no rule uses. */
extern const char *const words_token_scopes[];
extern const char *const words_integrations[];
extern const char *const words_webhook_versions[];
extern const char *const words_display_modes[];

/* The place of a word in such a table; WORD_NONE: it is not there. */
int words_find(const char *const *words, const char *p, unsigned long n);

#endif
