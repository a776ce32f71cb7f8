/*
 * Mail with a link to choose a password, on request or as an invitation; a warning to people whose
 * password is being guessed from many places; and a notice to those whose second factor was
 * removed. The texts are fixed, so that nobody can have words of their own sent to an address.
 */
#include <string.h>
#include <time.h>

#include "programs/sender/sender.h"
#include "service/crypt.h"

enum { ID, KIND, EMAIL, ATTEMPTS };

/* domain/throttle.h explains why the right password still works however many guess. */
static void put_guesses(struct buf *b, const struct sender *s, struct str code)
{
	const char *base = s->conf.base_url;
	(void)code;
	buf_printf(b,
		"Somebody tried wrong passwords for your account from many places within an hour, on planwright at %s .\n\n",
		base);
	buf_put_z(b,
		"Each place gets only a few attempts, and you can still sign in with your password. If it is short, or you use it elsewhere, choose a new one at\n");
	buf_printf(b, "%s/choose_password\n\nYou get this message at most once a day.\n", base);
}

static void put_factor_off(struct buf *b, const struct sender *s, struct str code)
{
	const char *base = s->conf.base_url;
	(void)code;
	buf_printf(b,
		"An administrator of planwright at %s has removed the second factor from your "
		"account: your password alone signs you in again.\n\n",
		base);
	buf_printf(b,
		"You can set up another one on the page %s/profile .\n\nIf you did not ask for this, choose a new password at\n%s/choose_password\nand ask them why.\n",
		base, base);
}

static void put_link(struct buf *b, const char *base, struct str code)
{
	buf_printf(b, "%s/choose_password/%.*s\n\n", base, (int)code.n, code.p);
	buf_put_z(b, "The link works once, within 30 minutes. After that, request a new one at\n");
	buf_printf(b, "%s/choose_password\n", base);
}

static void put_invitation(struct buf *b, const struct sender *s, struct str code)
{
	const char *base = s->conf.base_url;
	buf_printf(b, "You were added to planwright at %s .\n\nChoose a password here:\n", base);
	put_link(b, base, code);
}

static void put_reset(struct buf *b, const struct sender *s, struct str code)
{
	const char *base = s->conf.base_url;
	buf_printf(b,
		"Somebody requested a new password for your account at %s .\n\nChoose it here:\n",
		base);
	put_link(b, base, code);
	buf_put_z(b, "\nIf it was not you, do nothing: your password stays the same.\n");
}

static const struct letter {
	const char *kind, *subject;
	void (*put)(struct buf *b, const struct sender *s, struct str code);
} letters[] = {
	{ "reset", "A new password for planwright", put_reset },
	{ "invitation", "You were added to planwright", put_invitation },
	{ "guesses", "Wrong passwords for your account at planwright", put_guesses },
	{ "factor_off", "Your second factor at planwright was removed", put_factor_off },
};

/* A kind written by a newer program gets the text of the first. */
static const struct letter *find_letter(struct str kind)
{
	for (size_t i = 1; i < sizeof letters / sizeof *letters; i++)
		if (str_equal_z(kind, letters[i].kind))
			return &letters[i];
	return &letters[0];
}

static void write_letter(
	struct sender *s, struct sender_job *job, const struct rows *rows, struct str code)
{
	struct buf body = { 0 };
	const struct letter *letter = find_letter(db_get_text(rows, 0, KIND));
	letter->put(&body, s, code);
	const struct message message = { .from = str_of(s->conf.mail_from),
		.to = db_get_text(rows, 0, EMAIL),
		.subject = str_of(letter->subject),
		.body = buf_str(&body),
		.id = arena_printf(&job->arena, "letter.%lld.%lld", (long long)job->id,
			(long long)db_get_int(rows, 0, ATTEMPTS)),
		.at = (int64_t)time(NULL) };
	job->easy = mailer_new(&job->mailer, &s->conf, &message);
	buf_free(&body);
}

/* A letter without a recipient is done once it is taken; there may be more. */
static enum rc take(struct sender *s, struct sender_job *job, bool *found)
{
	struct rows *rows;
	struct str code = crypt_token(&s->arena);
	const struct db_param params[] = { db_bytes(crypt_digest(&s->arena, code)),
		db_text(&s->arena, STR("nobody has this address")),
		db_int(&s->arena, s->conf.mails_a_day), db_text(&s->arena, STR(SENDER_ABOVE)) };
	enum rc rc = sender_ask(s, STMT_LETTER_TAKE, 4, params, &rows);
	if (rc)
		return rc;
	*found = db_count(rows) > 0;
	bool is_for_somebody = *found && !db_is_null(rows, 0, EMAIL);
	if (is_for_somebody) {
		job->id = db_get_int(rows, 0, ID);
		write_letter(s, job, rows, code);
	}
	sender_end(s);
	if (is_for_somebody && !job->easy)
		sender_note(s, job, "letter", STMT_LETTER_DONE, job->mailer.error);
	return RC_OK;
}

static void done(struct sender *s, struct sender_job *job, CURLcode code)
{
	sender_note(s, job, "letter", STMT_LETTER_DONE, mailer_problem(&job->mailer, code));
}

const struct sender_kind sender_letter_kind = { "letters", SENDER_LETTERS, conf_has_mail, take,
	done };
