#include "http/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "http/guard.h"
#include "http/route.h"
#include "lib/log.h"
#include "lib/sink.h"

struct stream {
	struct sink sink; /* first, so that it is found from there */
	struct req *r;
	FCGX_Request *f;
	bool begun;
};

static bool put_piece(struct sink *sink, struct str bytes)
{
	struct stream *s = (struct stream *)sink;
	bool ok = s->begun || http_reply_begin(s->r, s->f);
	s->begun = true;
	return ok && http_send_piece(s->f, bytes);
}

/* The process --------------------------------------------------------------------- */

/*
 * Signals and descriptors are those of a worker: its connections, its place among others, the
 * listening socket. Nothing of that is ours; standard error stays, for the log.
 */
static void leave_worker(FCGX_Request *f)
{
	enum { CONNECTION = 3 };
	const struct timeval patience = { .tv_sec = STREAM_STALL_SECONDS };
	sigset_t none;
	int null = open("/dev/null", O_RDWR);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(f->ipcFd, CONNECTION) < 0)
		log_die("a process for a long answer cannot begin: %m");
	close_range(CONNECTION + 1, ~0u, 0);
	f->ipcFd = CONNECTION;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsockopt(CONNECTION, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	alarm(STREAM_SECONDS);
}

static enum rc take_turn(struct req *r, struct slots *slots)
{
	uint64_t number;
	struct str mac = crypt_mac(r->crypt, r->arena, STR("slots of long answers"));
	memcpy(&number, mac.p, sizeof number);
	slots_open(slots,
		arena_printf(r->arena, "/planwright-long-%u-%016llx", (unsigned)geteuid(),
			(unsigned long long)number)
			.p);
	if (slots_claim_only(slots, guard_who(r), STREAM_MOST))
		return RC_OK;
	return req_fail(r, RC_TOO_MANY_REQUESTS,
		"one export at a time is made for a person, and %d in all", STREAM_MOST);
}

static enum rc make(struct stream *s)
{
	struct req *r = s->r;
	enum rc rc = db_ready(r->db);
	if (rc) {
		log_error("%s", db_problem(r->db));
		return rc;
	}
	db_forget_descriptions(r->db);
	return r->stream.make(r, &s->sink);
}

static void run(struct req *r, FCGX_Request *f, int64_t started_us)
{
	struct stream s = { .sink = { put_piece }, .r = r, .f = f };
	struct slots slots;
	leave_worker(f);
	enum rc rc = take_turn(r, &slots);
	/* The worker's own is left as it is: what it would say goodbye to is the worker's. */
	r->db = db_new(r->conf, true);
	db_name_request(r->db, r->id);
	if (!rc)
		rc = make(&s);
	/* Who has all of it may ask for the next. */
	slots_release(&slots);
	if (rc && !s.begun) {
		f->keepConnection = f->keepConnection ? HTTP_LAST : HTTP_CLOSE;
		req_write_error(r, rc);
		http_reply(r, f, started_us);
	} else if (rc) {
		log_warn("a long answer was cut: %s %s", r->route->method, r->route->path);
		http_send_cut(f);
	} else {
		http_send_end(f);
	}
	db_free(r->db);
	slots_close(&slots);
}

/* The worker ----------------------------------------------------------------------- */

enum rc stream_hand_over(struct req *r, FCGX_Request *f, int64_t started_us)
{
	int status = -1;
	pid_t pid = fork();
	if (pid == 0) {
		/* Once more: the one that works is nobody's child, and nobody has to wait for it. */
		pid = fork();
		if (pid == 0)
			run(r, f, started_us);
		_exit(pid < 0);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return RC_OK;
	log_error("a process for a long answer cannot be made: %m");
	return RC_UNAVAILABLE;
}
