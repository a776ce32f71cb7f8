#include "request_check.h"

#include <stdlib.h>

#include "db/db.h"
#include "http/cookie.h"
#include "http/http.h"
#include "http/route.h"

static const struct conf conf = {
	.base_url = "https://plan.example",
	.send_files = "",
	.old_versions = "v3 v4",
	.max_body_kib = 64,
	.trust_remote_user = true,
};

static void check_cookies(const struct req *r)
{
	for (int which = REQ_COOKIE_SESSION; which <= REQ_COOKIE_SIGN_IN; which++) {
		struct str value = cookie_find(r, (enum req_cookie)which);
		if (value.p &&
			(value.p < r->cookie.p || value.p + value.n > r->cookie.p + r->cookie.n))
			abort();
	}
}

static void check_route(struct req *r)
{
	if (route_find(r)) {
		if (r->n_ids > REQ_IDS_MAX)
			abort();
		return;
	}
	if (!r->route || r->n_ids > REQ_IDS_MAX)
		abort();
	for (int i = 0; i < r->n_ids; i++)
		if (r->ids[i] < 0)
			abort();
}

static void check_upload(struct req *r)
{
	char piece[4096];
	int got = 1;
	for (int64_t left = r->upload.length; r->upload.read && left > 0 && got > 0; left -= got) {
		got = r->upload.read(r->upload.stream, piece, (int)sizeof piece);
		if (got > (int)sizeof piece)
			abort();
	}
}

void request_check(FCGX_Request *f)
{
	static struct db *db;
	struct arena a = { 0 };
	if (!db)
		db = db_new(&conf, false);
	struct req r = { .arena = &a, .conf = &conf, .db = db, .status = 200 };
	enum rc rc = http_read(&r, f);
	if (r.n_segments > REQ_SEGMENTS_MAX)
		abort();
	for (int i = 0; i < r.n_segments; i++)
		if (r.segments[i].n == 0 || !str_is_text(r.segments[i]))
			abort();
	check_cookies(&r);
	if (!rc &&
		(r.token.n > 200 ||
			(r.body_text.p && (int64_t)r.body_text.n > conf.max_body_kib * 1024)))
		abort();
	if (!rc && !r.old.version)
		check_route(&r);
	check_upload(&r);
	db_name_request(db, NULL);
	arena_free(&a);
}
