/* Notification mail: ownership and mentions. */
#include <time.h>

#include "programs/sender/sender.h"

/* Columns of mail_take(). */
enum {
	ID,
	EMAIL,
	MESSAGE,
	CONTEXT,
	PROJECT,
	STORY_ID,
	STORY_NAME,
	EPIC_ID,
	EPIC_NAME,
	MADE_MS,
	ALL
};

/* What the mail is about: a story, an epic or neither. */
struct subject {
	const char *kind;
	int64_t id;
	struct str name;
};

static struct subject subject_of(const struct rows *rows, int row)
{
	int at = db_is_null(rows, row, STORY_ID) ? EPIC_ID : STORY_ID;
	if (db_is_null(rows, row, at))
		return (struct subject){ 0 };
	return (struct subject){ at == STORY_ID ? "story" : "epic", db_get_int(rows, row, at),
		db_text_or_empty(rows, row, at + 1) };
}

/* The text with "> " before each line. */
static void put_quoted(struct buf *b, struct str text)
{
	buf_put_char(b, '\n');
	while (text.p) {
		struct str line = str_cut(&text, '\n');
		buf_put_z(b, "> ");
		buf_put_str(b, line);
		buf_put_char(b, '\n');
	}
}

static void put_news(struct buf *b, const struct sender *s, const struct rows *rows, int row)
{
	struct subject about = subject_of(rows, row);
	buf_put_str(b, db_get_text(rows, row, MESSAGE));
	buf_put_z(b, ".\n");
	if (about.id) {
		buf_put_char(b, '\n');
		buf_put_str(b, about.name);
		buf_printf(b, "\n%s/%s/show/%lld\n", s->conf.base_url, about.kind,
			(long long)about.id);
	}
	if (!db_is_null(rows, row, CONTEXT))
		put_quoted(b, db_get_text(rows, row, CONTEXT));
}

/* Everything that the command reported, item by item, then the projects. */
static void put_body(struct buf *b, const struct sender *s, const struct rows *rows)
{
	struct str last = { 0 };
	for (int row = 0; row < db_count(rows); row++) {
		if (row)
			buf_put_z(b, "\n\n");
		put_news(b, s, rows, row);
	}
	if (db_get_int(rows, 0, ALL) > db_count(rows))
		buf_printf(b, "\n\nAnd %lld more, at %s\n",
			(long long)(db_get_int(rows, 0, ALL) - db_count(rows)), s->conf.base_url);
	buf_put_z(b, "\n-- \nProject: ");
	for (int row = 0; row < db_count(rows); row++) {
		struct str project = db_get_text(rows, row, PROJECT);
		if (row && str_equal(project, last))
			continue;
		buf_put_z(b, row ? ", " : "");
		buf_put_str(b, project);
		last = project;
	}
	buf_put_char(b, '\n');
}

/* The title of the first item; it says if there are more. */
static void put_title(struct buf *b, const struct rows *rows)
{
	struct subject about = subject_of(rows, 0);
	if (db_count(rows) > 1)
		buf_printf(b, "(1 of %lld) ", (long long)db_get_int(rows, 0, ALL));
	buf_put_char(b, '[');
	buf_put_str(b, db_get_text(rows, 0, PROJECT));
	buf_put_z(b, "] ");
	buf_put_str(b, db_get_text(rows, 0, MESSAGE));
	if (about.name.n > 0) {
		buf_put_z(b, ": ");
		buf_put_str(b, about.name);
	}
}

static void write_mail(struct sender *s, struct sender_job *job, const struct rows *rows)
{
	struct buf body = { 0 }, title = { 0 };
	put_body(&body, s, rows);
	put_title(&title, rows);
	const struct message message = { .from = str_of(s->conf.mail_from),
		.to = db_text_or_empty(rows, 0, EMAIL),
		.subject = buf_str(&title),
		.body = buf_str(&body),
		.id = arena_printf(&job->arena, "mail.%lld.%lld", (long long)job->id,
			(long long)db_get_int(rows, 0, MADE_MS)),
		.at = (int64_t)time(NULL) };
	job->easy = mailer_new(&job->mailer, &s->conf, &message);
	buf_free(&body);
	buf_free(&title);
}

static enum rc take(struct sender *s, struct sender_job *job, bool *found)
{
	struct rows *rows;
	const struct db_param params[] = { db_int(&s->arena, s->conf.mails_a_day),
		db_text(&s->arena, STR("not wanted")), db_text(&s->arena, STR(SENDER_ABOVE)) };
	enum rc rc = sender_ask(s, STMT_MAIL_TAKE, 3, params, &rows);
	if (rc)
		return rc;
	*found = db_count(rows) > 0;
	if (*found) {
		job->id = db_get_int(rows, 0, ID);
		write_mail(s, job, rows);
	}
	sender_end(s);
	if (*found && !job->easy)
		sender_note(s, job, "mail", STMT_MAIL_DONE, job->mailer.error);
	return RC_OK;
}

static void done(struct sender *s, struct sender_job *job, CURLcode code)
{
	sender_note(s, job, "mail", STMT_MAIL_DONE, mailer_problem(&job->mailer, code));
}

const struct sender_kind sender_mail_kind = { "mail", SENDER_MAILS, conf_has_mail, take, done };
