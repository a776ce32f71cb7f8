#include "programs/ctl/ctl_deep.h"

/* At most this many violations of a rule get a line each. */
enum { TOLD_MAX = 20 };

#define BEGIN                                                                                      \
	"begin isolation level repeatable read read only; set local statement_timeout = '10min'"

/* For violations that no command fixes. */
#define REPORT "make a backup, look at the logs of that time, and report this line"

struct law {
	enum stmt stmt; /* finds what violates it, in words (sql/queries/doctor.sql) */
	const char *holds, *mend;
	int64_t faults, told;
};

static struct law of_project[] = {
	{ STMT_DOCTOR_VERSIONS, "each version of a project has one activity", REPORT, 0, 0 },
	{ STMT_DOCTOR_FEED_TIMES, "a project knows how late its activities are",
		"set project.told_late_s to that", 0, 0 },
	{ STMT_DOCTOR_STORY_COUNTS, "projects count their stories",
		"set project.story_counts to what it has", 0, 0 },
	{ STMT_DOCTOR_LABEL_COUNTS, "labels count their stories",
		"run select planwright.labels_recount() in the database", 0, 0 },
	{ STMT_DOCTOR_ORDER, "accepted stories are ordered by time of acceptance",
		"set story.rank to the microseconds of accepted_at", 0, 0 },
	{ STMT_DOCTOR_RANKS, "no two stories share a place", "move one of them", 0, 0 },
	{ STMT_DOCTOR_EPIC_RANKS, "no two epics share a place", "move one of them", 0, 0 },
	{ STMT_DOCTOR_STATES, "accepted stories, and no others, have a time of acceptance",
		"change its state, and change it back", 0, 0 },
	{ STMT_DOCTOR_STORY_LABELS, "stories have labels of their project, each once, by name",
		"change the labels of the story", 0, 0 },
	{ STMT_DOCTOR_STORY_PEOPLE, "stories have owners and followers who exist, each once",
		"change the owners or followers of the story", 0, 0 },
	{ STMT_DOCTOR_EPICS, "an epic has a label of its project", "give the epic another label", 0,
		0 },
	{ STMT_DOCTOR_REVIEWS, "a review's type belongs to its project",
		"give the review another type", 0, 0 },
	{ STMT_DOCTOR_TRANSITIONS, "stories are in the state of their last transition", REPORT, 0,
		0 },
	{ STMT_DOCTOR_TRANSITION_VERSIONS, "a transition belongs to a version of its project",
		REPORT, 0, 0 },
	{ STMT_DOCTOR_ATTACHMENTS, "comments list their files",
		"change the attachments of the comment", 0, 0 },
	{ STMT_DOCTOR_FILE_PROJECTS, "a file belongs to the project of its comment",
		"set file_attachment.project_id to that project", 0, 0 },
	{ STMT_DOCTOR_TEXTS, "searches find each text, and none that no longer exists",
		"change the text, and change it back", 0, 0 },
	{ STMT_DOCTOR_DELIVERIES, "what waits for a webhook belongs to its project",
		"delete that row of delivery", 0, 0 },
	{ STMT_DOCTOR_MEMBERS, "people of a project are people of its account",
		"add them to the account, or take them out of the project", 0, 0 },
};

static struct law of_account[] = {
	{ STMT_DOCTOR_OWNERS, "an account has an owner",
		"run planwrightctl account give ID --owner LOGIN", 0, 0 },
};

static struct law of_person[] = {
	{ STMT_DOCTOR_NOTIFICATIONS,
		"notifications are about what others did, in order of their times", REPORT, 0, 0 },
};

struct deep {
	struct ctl *c;
	void (*say)(bool is_ok, struct str line);
	struct arena piece;
};

void ctl_deep_settle(struct ctl *c, struct arena *piece)
{
	db_commit(c->db); /* only the pipeline: the transaction was begun by a statement */
	if (db_finish(c->db))
		ctl_fail_db(c);
	db_end(c->db);
	arena_reset(piece);
}

struct rows *ctl_deep_ask(struct ctl *c, enum stmt stmt, struct db_param param)
{
	struct rows *rows;

	db_send(c->db, stmt, 1, &param);
	db_flush(c->db);
	if (db_next(c->db, &rows))
		ctl_fail_db(c);
	return rows;
}

static void tell(struct deep *d, struct law *law, const struct rows *rows)
{
	const int n = db_count(rows), counted = db_column(rows, "n");

	law->faults += n && counted >= 0 ? db_get_int(rows, 0, counted) : n;
	for (int i = 0; i < n && law->told < TOLD_MAX; i++, law->told++) {
		d->say(false,
			arena_printf(&d->piece, "%s: %s: %s", law->holds,
				ctl_line(d->c, rows, i, 0), law->mend));
	}
}

/* Checks all rules for one thing, in one round trip. */
static void look_at(struct deep *d, int64_t id, struct law *laws, size_t n)
{
	struct db *db = d->c->db;
	struct db_param param = db_int(&d->piece, id);

	for (size_t i = 0; i < n; i++)
		db_send(db, laws[i].stmt, 1, &param);
	db_flush(db);
	for (size_t i = 0; i < n; i++) {
		struct rows *rows;
		if (db_next(db, &rows))
			ctl_fail_db(d->c);
		tell(d, &laws[i], rows);
	}
	ctl_deep_settle(d->c, &d->piece);
}

enum { PAGE = 500 };

/* The next ids after one, as many as `stmt` returns. */
static size_t turn_page(struct deep *d, enum stmt stmt, int64_t after, int64_t ids[PAGE])
{
	struct rows *rows = ctl_deep_ask(d->c, stmt, db_int(&d->piece, after));
	int n = db_count(rows);

	for (int i = 0; i < n && i < PAGE; i++)
		ids[i] = db_get_int(rows, i, 0);
	ctl_deep_settle(d->c, &d->piece);
	return (size_t)n;
}

static void look_at_all(struct deep *d, enum stmt ids_of, struct law *laws, size_t n_laws)
{
	static int64_t ids[PAGE];
	int64_t after = 0;
	size_t n;

	while ((n = turn_page(d, ids_of, after, ids)) > 0) {
		for (size_t i = 0; i < n; i++)
			look_at(d, ids[i], laws, n_laws);
		after = ids[n - 1];
	}
	for (size_t i = 0; i < n_laws; i++) {
		if (laws[i].faults == 0)
			d->say(true, str_of(laws[i].holds));
		else if (laws[i].faults > laws[i].told)
			d->say(false,
				arena_printf(&d->piece, "%s: %lld more like these: %s",
					laws[i].holds, (long long)(laws[i].faults - laws[i].told),
					laws[i].mend));
	}
	arena_reset(&d->piece);
}

#define EACH(laws) laws, sizeof(laws) / sizeof *(laws)

void ctl_look_deep(struct ctl *c, void (*say)(bool is_ok, struct str line))
{
	struct deep d = { .c = c, .say = say };

	if (db_script(c->db, BEGIN))
		ctl_fail_db(c);
	look_at_all(&d, STMT_DOCTOR_PROJECTS, EACH(of_project));
	look_at_all(&d, STMT_DOCTOR_ACCOUNTS, EACH(of_account));
	look_at_all(&d, STMT_DOCTOR_PEOPLE, EACH(of_person));
	ctl_look_at_files(c, say);
	arena_free(&d.piece);
}
