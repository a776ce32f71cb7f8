#include "http/guard.h"

#include <string.h>
#include <unistd.h>

#include "http/route.h"
#include "lib/address.h"
#include "lib/log.h"

/* The caller ------------------------------------------------------------------ */

/* FNV-1a; finding two people with the same number gains an attacker nothing. */
static uint64_t number_of(char kind, const void *bytes, size_t n)
{
	uint64_t h = (UINT64_C(14695981039346656037) ^ (unsigned char)kind);
	for (size_t i = 0; i < n; i++)
		h = (h * UINT64_C(1099511628211)) ^ ((const unsigned char *)bytes)[i];
	return h ? h : 1;
}

static uint64_t person_of(const struct req *r)
{
	int64_t person = r->person_id ? r->person_id : r->login_id;
	return person ? number_of('p', &person, sizeof person) : 0;
}

uint64_t guard_who(const struct req *r)
{
	uint64_t person = person_of(r);
	if (person || r->credential)
		return person ? person : r->credential;
	struct str network = address_network(r->arena, r->address.p ? r->address : STR(""));
	return number_of('a', network.p, network.n);
}

/*
 * The number that counts a credential until its person is known. Where no credential is needed,
 * it is ignored, so that a client with a new one for each request still counts as one.
 */
static uint64_t number_of_credential(struct req *r, struct str credential)
{
	uint64_t number = 0;
	if (!credential.p || !r->route || r->route->need == NEED_NOTHING)
		return 0;
	struct str mac = r->token.p ? req_token_mac(r) : crypt_mac(r->crypt, r->arena, credential);
	memcpy(&number, mac.p, sizeof number);
	return number ? number : 1;
}

void guard_know(struct req *r)
{
	uint64_t person = person_of(r);
	if (!r->ledger)
		return;
	if (r->credential)
		ledger_learn(r->ledger, r->credential, person);
	if (person)
		ledger_move(r->ledger, person);
}

/* The request ------------------------------------------------------------------ */

void guard_join(struct ledger *ledger, const struct crypt *crypt, const struct conf *conf,
	struct arena *arena, enum ledger_part part)
{
	struct str mac = crypt_mac(
		crypt, arena, arena_printf(arena, "ledger of the workers %s", conf->database));
	uint64_t number;
	memcpy(&number, mac.p, sizeof number);
	ledger_open(ledger,
		arena_printf(arena, "/planwright-ledger1-%u-%016llx", (unsigned)geteuid(),
			(unsigned long long)number)
			.p,
		part);
}

static bool may_go_on(void *arg, bool is_slow)
{
	struct ledger *ledger = arg;
	return is_slow ? ledger_claim_slow(ledger) : !ledger_was_told(ledger);
}

enum rc guard_begin(struct req *r, struct ledger *ledger, struct str credential, int peer)
{
	r->ledger = ledger;
	r->credential = number_of_credential(r, credential);
	uint64_t known = r->credential ? ledger_find(ledger, r->credential) : 0;
	/*
	 * Health checks have no route, and a question is let in, since the web server can only
	 * relay certain refusals.
	 */
	if (r->route && !ledger_begin(ledger, known ? known : guard_who(r)) && !r->is_question) {
		r->over_share = true;
		r->retry_after = 1;
		return req_fail(r, RC_TOO_MANY_REQUESTS,
			"your requests have used more than half of the workers for longer than "
			"allowed while others wait: send fewer at once");
	}
	r->peer = peer;
	guard_database(r);
	return RC_OK;
}

void guard_database(struct req *r)
{
	bool is_write = !str_equal_z(r->method, "GET") && !(r->route && r->route->flags & R_READS);
	/* Input has its own limits, and so has the data of a write. */
	r->held = (struct held){ ((size_t)r->conf->max_rows_mib << 20) +
			(is_write ? 0 : r->arena->used),
		{ db_rows_bytes(r->db), is_write ? NULL : &r->arena->used, &r->out->n } };
	r->json.held = &r->held;
	db_guard(r->db,
		&(struct db_guard){ .timeout_ms = r->conf->request_timeout_ms,
			.held = &r->held,
			.answer = r->out,
			.peer = r->peer,
			.is_write = is_write,
			.may_go_on = may_go_on,
			.arg = r->ledger });
}

void guard_end(struct req *r, struct ledger *ledger)
{
	enum db_stop stop = db_stopped(r->db);
	if (stop == DB_STOP_TIME || stop == DB_STOP_WRITE)
		log_warn("a request was cancelled after %lld ms: %s %s",
			(long long)r->conf->request_timeout_ms, r->route->method, r->route->path);
	db_guard(r->db, NULL);
	if (r->leader)
		db_guard(r->leader, NULL);
	ledger_end(ledger);
}

bool guard_is_over(const struct req *r)
{
	enum db_stop stop = db_stopped(r->db);
	return stop != DB_GOES_ON && stop != DB_STOP_ROWS && stop != DB_STOP_LIMIT;
}
