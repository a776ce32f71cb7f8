#include "programs/stand_in.h"

#include "http/accept.h"
#include "http/http.h"
#include "lib/log.h"
#include "lib/when.h"
#include "programs/parent.h"

static void answer(FCGX_Request *f, struct arena *arena, struct buf *out)
{
	static const struct conf conf = { .tracker_headers = true };
	struct req r = { .arena = arena, .conf = &conf, .out = out, .method = STR("GET") };
	json_init(&r.json, out);
	r.is_question = FCGX_GetParam("PLANWRIGHT_QUESTION", f->envp) != NULL;
	req_write_error(&r, RC_UNAVAILABLE);
	http_reply(&r, f, when_now());
}

void stand_in_run(void)
{
	static struct accept accept;
	static struct arena arena;
	static struct buf out;
	FCGX_Request request = { 0 };
	accept_start(&accept);
	parent_tell_ready();
	while (accept_next(&accept, &request)) {
		answer(&request, &arena, &out);
		arena_reset(&arena);
		buf_reset(&out);
	}
	arena_free(&arena);
	buf_free(&out);
}
