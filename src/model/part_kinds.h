/*
 * The kinds of parts of stories other than tasks and comments: one row each. From a row follow the
 * lists of a story's body and of its answer, the endpoints, what their commands load, the words of
 * errors, and the kind of records that imports know. What a part consists of is in its fields
 * (part_fields.c), how it is read in sql/queries/part.sql; rules are domain/part.c's.
 */
#ifndef PART_KINDS_H
#define PART_KINDS_H

/*
 * X(one, ONE, list, LIST, NOUN, NOUNS, EXAMPLE, CHANGE): the resource res_one, whose statements
 * begin with ONE; the list in a story and in paths, whose statements begin with LIST; what people
 * call it; bodies that make one and change it. Those of LISTED_PARTS stand also in bodies of stories.
 */
/* clang-format off */
#define LISTED_PARTS(X)										\
	X(blocker, BLOCKER, blockers, BLOCKERS, "blocker", "Blockers",				\
		"{\"description\":\"Frost until #556\"}", "{\"resolved\":true}")		\
	X(review, REVIEW, reviews, REVIEWS, "review", "Reviews",				\
		"{\"review_type_id\":12,\"reviewer_id\":101}", "{\"status\":\"pass\"}")		\
	X(pull_request, PULL_REQUEST, pull_requests, PULL_REQUESTS, "pull request", "Pull requests", \
		"{\"owner\":\"ada\",\"repo\":\"garden\",\"number\":7}", "{\"status\":\"merged\"}") \
	X(branch, BRANCH, branches, BRANCHES, "branch", "Branches",				\
		"{\"owner\":\"ada\",\"repo\":\"garden\",\"name\":\"beans\"}", "{\"name\":\"peas\"}")

#define STORY_PARTS(X)										\
	LISTED_PARTS(X)										\
	X(cicd_event, CICD_EVENT, cicd_events, CICD_EVENTS, "build event", "Build events",	\
		"{\"provider\":\"ci\",\"name\":\"build\",\"status\":\"running\"}",		\
		"{\"status\":\"passed\"}")
/* clang-format on */

#endif
