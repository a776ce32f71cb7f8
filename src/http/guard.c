#include "http/guard.h"

#include "http/route.h"
#include "lib/address.h"
#include "lib/log.h"

/* Who asks -------------------------------------------------------------------- */

/* FNV-1a; whoever finds two people with one number gains nothing. */
static uint64_t number_of(char kind, const void *bytes, size_t n)
{
	uint64_t h = (UINT64_C(14695981039346656037) ^ (unsigned char)kind);
	for (size_t i = 0; i < n; i++)
		h = (h * UINT64_C(1099511628211)) ^ ((const unsigned char *)bytes)[i];
	return h ? h : 1;
}

uint64_t guard_who(const struct req *r)
{
	if (r->token.p) {
		struct str mac = crypt_mac(r->crypt, r->arena, r->token);
		return number_of('t', mac.p, mac.n);
	}
	if (r->login_id)
		return number_of('p', &r->login_id, sizeof r->login_id);
	struct str network = address_network(r->arena, r->address.p ? r->address : STR(""));
	return number_of('a', network.p, network.n);
}

/* The request ------------------------------------------------------------------ */

struct turn {
	struct req *r;
	struct slots *slots;
};

static bool may_go_on(void *arg, bool is_slow)
{
	const struct turn *t = arg;
	uint64_t number = guard_who(t->r);
	return is_slow ? slots_claim(t->slots, number) : !slots_was_told(t->slots, number);
}

void guard_begin(struct req *r, struct slots *slots, int peer)
{
	struct turn *turn = arena_alloc(r->arena, sizeof *turn);
	*turn = (struct turn){ r, slots };
	db_guard(r->db,
		&(struct db_guard){ .timeout_ms = r->conf->request_timeout_ms,
			.rows_max = r->conf->max_rows_mib << 20,
			.peer = peer,
			.is_write = !str_equal_z(r->method, "GET") && !(r->route->flags & R_READS),
			.may_go_on = may_go_on,
			.arg = turn });
}

void guard_end(struct req *r, struct slots *slots)
{
	enum db_stop stop = db_stopped(r->db);
	if (stop == DB_STOP_TIME || stop == DB_STOP_WRITE)
		log_warn("a request was ended after %lld ms: %s %s",
			(long long)r->conf->request_timeout_ms, r->route->method, r->route->path);
	db_guard(r->db, NULL);
	slots_release(slots);
}

bool guard_is_over(const struct req *r)
{
	enum db_stop stop = db_stopped(r->db);
	return stop != DB_GOES_ON && stop != DB_STOP_ROWS && stop != DB_STOP_LIMIT;
}
