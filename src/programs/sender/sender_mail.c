/* Mail of notifications: ownership and mentions. */
#include <time.h>

#include "lib/log.h"
#include "programs/sender/sender.h"

/* What the mail is about: a story or an epic, or nothing of both. */
struct subject {
	const char *kind;
	int64_t id;
	struct str name;
};

static struct subject subject_of(const struct rows *rows)
{
	int at = db_is_null(rows, 0, 5) ? 7 : 5;
	if (db_is_null(rows, 0, at))
		return (struct subject){ 0 };
	return (struct subject){ at == 5 ? "story" : "epic", db_get_int(rows, 0, at),
		db_text_or_empty(rows, 0, at + 1) };
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

static void put_body(
	struct buf *b, const struct sender *s, const struct rows *rows, const struct subject *about)
{
	struct str project = db_get_text(rows, 0, 4);
	buf_put_str(b, db_get_text(rows, 0, 2));
	buf_put_z(b, ".\n");
	if (about->id) {
		buf_put_char(b, '\n');
		buf_put_str(b, about->name);
		buf_printf(b, "\n%s/%s/show/%lld\n", s->conf.base_url, about->kind,
			(long long)about->id);
	}
	if (!db_is_null(rows, 0, 3))
		put_quoted(b, db_get_text(rows, 0, 3));
	buf_put_z(b, "\n-- \nProject: ");
	buf_put_str(b, project);
	buf_put_char(b, '\n');
}

static void put_title(struct buf *b, const struct rows *rows, const struct subject *about)
{
	buf_put_char(b, '[');
	buf_put_str(b, db_get_text(rows, 0, 4));
	buf_put_z(b, "] ");
	buf_put_str(b, db_get_text(rows, 0, 2));
	if (about->name.n > 0) {
		buf_put_z(b, ": ");
		buf_put_str(b, about->name);
	}
}

static void write_mail(struct sender *s, struct sender_job *job, const struct rows *rows)
{
	struct buf body = { 0 }, title = { 0 };
	struct subject about = subject_of(rows);
	put_body(&body, s, rows, &about);
	put_title(&title, rows, &about);
	const struct message message = { .from = str_of(s->conf.mail_from),
		.to = db_get_text(rows, 0, 1),
		.subject = buf_str(&title),
		.body = buf_str(&body),
		.id = arena_printf(&job->arena, "mail.%lld.%lld", (long long)job->id,
			(long long)db_get_int(rows, 0, 9)),
		.at = (int64_t)time(NULL) };
	job->easy = mailer_new(&job->mailer, &s->conf, &message);
	buf_free(&body);
	buf_free(&title);
}

static void note(struct sender *s, struct sender_job *job, const char *problem)
{
	struct rows *rows;
	const struct db_param params[] = { db_int(&job->arena, job->id),
		db_text(&job->arena,
			str_is_text(str_of(problem)) ? str_of(problem) : STR("unreadable")) };
	if (problem)
		log_info("mail %lld failed: %s", (long long)job->id, problem);
	if (!sender_ask(s, STMT_MAIL_DONE, 2, params, &rows))
		sender_end(s);
}

static enum rc take(struct sender *s, struct sender_job *job, bool *found)
{
	struct rows *rows;
	const struct db_param params[] = { db_text(&s->arena, STR("not wanted")) };
	enum rc rc = sender_ask(s, STMT_MAIL_TAKE, 1, params, &rows);
	if (rc)
		return rc;
	*found = !db_is_null(rows, 0, 0);
	if (*found) {
		job->id = db_get_int(rows, 0, 0);
		write_mail(s, job, rows);
	}
	sender_end(s);
	if (*found && !job->easy)
		note(s, job, job->mailer.error);
	return RC_OK;
}

static void done(struct sender *s, struct sender_job *job, CURLcode code)
{
	note(s, job, mailer_problem(&job->mailer, code));
}

const struct sender_kind sender_mail_kind = { "mail", conf_has_mail, take, done };
