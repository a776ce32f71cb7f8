/*
 * The secret that tickets are signed with. It may be replaced while live runs (planwrightctl secret
 * rotate): a ticket then fails our check, its stream waits for a moment, and the database hands
 * over the new secret, sealed with ours. If it does not (secret rotate --at-once, or too late), the
 * settings are read again.
 */
#include <string.h>

#include "lib/log.h"
#include "lib/when.h"
#include "programs/live/live.h"
#include "store/secret.h"

enum {
	PAUSE_MS = 200,            /* between two questions */
	FORMER_MS = 2 * TICKET_MS, /* tickets of workers that have not followed yet */
};

bool live_secret_load(struct conf *conf, char *problem, size_t size)
{
	/*
	 * It serves strangers' connections: the only secret it knows is the one that tickets are
	 * checked with.
	 */
	static const char *const unwanted[] = { "direct_database", "owner_database",
		"s3_access_key", "s3_secret_key", "smtp_password", NULL };
	return conf_load_without(conf, unwanted, problem, size);
}

bool live_secret_begin(struct live *l, struct str secret)
{
	l->secret.is_right = true;
	return crypt_init(&l->secret.crypt, secret);
}

bool live_secret_read(struct live *l, struct str text, struct ticket *t)
{
	const struct live_secret *k = &l->secret;
	int64_t now = when_millis(when_now());
	return ticket_read(&k->crypt, &l->arena, text, now, t) ||
		(live_clock_ms() < k->former_ends_ms &&
			ticket_read(&k->former, &l->arena, text, now, t));
}

void live_secret_doubt(struct live *l)
{
	l->secret.is_doubted = true;
}

/* Switches to the next secret; if `keeps`, tickets of the former one stay valid for a moment. */
static void become(struct live_secret *k, const struct crypt *next, bool keeps)
{
	k->former = k->crypt;
	k->former_ends_ms = keeps ? live_clock_ms() + FORMER_MS : 0;
	k->crypt = *next;
}

static bool is_of(struct live *l, const struct crypt *crypt, const struct rows *rows)
{
	return str_equal(db_get_text(rows, 0, 0), secret_value(crypt, &l->arena));
}

/* Takes the secret that the database hands over, sealed with ours. */
static bool follow(struct live *l, const struct rows *rows)
{
	struct crypt next = { 0 };
	struct str sealed = db_is_null(rows, 0, 1) ? (struct str){ 0 } : db_get_text(rows, 0, 1);
	struct str secret = sealed.p
		? crypt_open(&l->secret.crypt, &l->arena, SECRET_HANDOVER, sealed)
		: (struct str){ 0 };
	if (!secret.p || !crypt_init(&next, secret))
		return false;
	become(&l->secret, &next, true);
	return true;
}

/* Takes the secret that the settings have by now. */
static bool reload(struct live *l, const struct rows *rows)
{
	struct conf conf = { 0 };
	struct crypt next = { 0 };
	char problem[512];
	bool is_right = live_secret_load(&conf, problem, sizeof problem) &&
		crypt_init(&next, str_of(conf.secret)) && is_of(l, &next, rows);
	conf_free(&conf);
	if (is_right)
		become(&l->secret, &next, false);
	return is_right;
}

/*
 * If the database has no value, or that of ours, our secret is right. A chain of secrets is
 * followed step by step.
 */
static void take(struct live *l, const struct rows *rows)
{
	struct live_secret *k = &l->secret;
	bool was_right = k->is_right;
	k->is_right = db_is_null(rows, 0, 0) || is_of(l, &k->crypt, rows);
	if (!k->is_right && follow(l, rows)) {
		k->is_right = is_of(l, &k->crypt, rows);
		k->is_doubted = k->is_doubted || !k->is_right;
		log_info("the secret was replaced: continuing with the new one");
	} else if (!k->is_right && reload(l, rows)) {
		k->is_right = true;
		log_info("the secret was replaced: continuing with the one in the settings");
	} else if (!k->is_right && was_right) {
		log_error("%s", SECRET_IS_ANOTHER);
	}
}

void live_secret_step(struct live *l)
{
	struct live_secret *k = &l->secret;
	int64_t now = live_clock_ms();
	if (k->is_asked) {
		const struct rows *rows = db_watch_take(l->db);
		if (rows)
			take(l, rows);
		if (rows && !(k->is_doubted && !k->is_right))
			live_stream_again(l, k->asked_ms);
		k->is_asked = !rows && !db_watch_is_free(l->db) && db_watch_fd(l->db) >= 0;
		k->is_doubted = k->is_doubted || (!rows && !k->is_asked);
	}
	if (live_secret_wait(l) != 0)
		return;
	struct db_param value = db_bytes(secret_value(&k->crypt, &l->arena));
	k->is_doubted = false;
	k->asked_ms = now;
	k->is_asked = db_watch_ask(l->db, STMT_SECRET_STATE, 1, &value);
}

int live_secret_wait(const struct live *l)
{
	const struct live_secret *k = &l->secret;
	if (k->is_asked && db_watch_is_free(l->db))
		return 0;
	if (!k->is_doubted || k->is_asked || !db_watch_is_free(l->db))
		return -1;
	int64_t left = k->asked_ms + PAUSE_MS - live_clock_ms();
	return left > 0 && k->asked_ms ? (int)left : 0;
}
