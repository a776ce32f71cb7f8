#include "http/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "http/guard.h"
#include "http/route.h"
#include "http/audit_log.h"
#include "lib/log.h"
#include "lib/sink.h"

struct stream {
	struct sink sink; /* first, so that put_piece can cast it back */
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

enum { CONNECTION = 3, ABOVE = 16 };

/* Copies are made above all slots to be filled, so that none overwrites another. */
static int lift(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, ABOVE);
	if (copy < 0)
		log_die("a process for a long answer cannot start: %m");
	return copy;
}

/*
 * The inherited descriptors are those of a worker: its connections, its row in shared memory, the
 * listening socket. Closes all but the ones passed along; standard error stays, for the log.
 */
static void leave_worker(struct req *r, FCGX_Request *f)
{
	const struct timeval patience = { .tv_sec = STREAM_STALL_SECONDS };
	prctl(PR_SET_NAME, "planwright-long"); /* so that it is not counted as a worker */
	int *to[1 + REQ_STREAM_FILES] = { &f->ipcFd }, n = 1, null = open("/dev/null", O_RDWR);
	for (; n <= REQ_STREAM_FILES && r->stream.files[n - 1]; n++)
		to[n] = r->stream.files[n - 1];
	for (int i = 0; i < n; i++)
		*to[i] = lift(*to[i]);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0)
		log_die("a process for a long answer cannot start: %m");
	for (int i = 0; i < n; i++)
		*to[i] = dup3(*to[i], CONNECTION + i, O_CLOEXEC);
	close_range((unsigned)(CONNECTION + n), ~0u, 0);
	setsockopt(CONNECTION, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

/* A process with nothing to clean up may be ended at any moment. */
static void set_signals(const struct req *r)
{
	sigset_t none;
	sigemptyset(&none);
	if (!r->stream.drop)
		sigprocmask(SIG_SETMASK, &none, NULL);
	alarm(STREAM_SECONDS);
}

/* How many processes of a part there may be at a time: per person or address, and in total. */
struct places {
	int own, most;
};

/* By then the provider has answered or run out of time. */
enum { SIGN_IN_RETRY_SECONDS = 10 };

static enum rc refuse_place(struct req *r, const struct places *p)
{
	if (r->stream.part == LEDGER_EXPORT)
		return req_fail(r, RC_TOO_MANY_REQUESTS,
			"one export at a time runs per person, and %d in total: send this one again when "
			"another has ended",
			p->most);
	if (r->stream.part == LEDGER_SIGN_IN) {
		r->retry_after = SIGN_IN_RETRY_SECONDS;
		return req_fail(r, RC_TOO_MANY_REQUESTS,
			"%d sign-ins from one address may wait for a provider, and %d in total: "
			"try again in a few seconds",
			p->own, p->most);
	}
	return req_fail(r, RC_TOO_MANY_REQUESTS,
		"%d files of one person may wait to be examined, and %d in total: send this one again later",
		p->own, p->most);
}

static const struct places places[] = {
	[LEDGER_EXPORT] = { 1, STREAM_MOST },
	[LEDGER_PICTURE] = { STREAM_FILES, STREAM_FILES_MOST },
	[LEDGER_SIGN_IN] = { STREAM_SIGN_INS, STREAM_SIGN_INS_MOST },
};

/* Checked before forking, so that a client that keeps retrying costs no process; take_place may
   still refuse, as others may come first. */
static enum rc look_for_place(struct req *r)
{
	const struct places *p = &places[r->stream.part];
	bool is_free = !r->ledger ||
		ledger_has_place(r->ledger, r->stream.part, guard_who(r), p->own, p->most);
	return is_free ? RC_OK : refuse_place(r, p);
}

static enum rc take_place(struct req *r, struct ledger *ledger)
{
	const struct places *p = &places[r->stream.part];
	guard_join(ledger, r->crypt, r->conf, r->arena, r->stream.part);
	return ledger_claim(ledger, guard_who(r), p->own, p->most) ? RC_OK : refuse_place(r, p);
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

static void answer(struct stream *s, enum rc rc, int64_t started_us)
{
	struct req *r = s->r;
	if (!s->begun) {
		s->f->keepConnection = s->f->keepConnection ? HTTP_LAST : HTTP_CLOSE;
		if (rc) {
			r->out->n = 0;
			json_init(&r->json, r->out);
			req_write_error(r, rc);
		}
		http_reply(r, s->f, started_us);
	} else if (rc) {
		log_warn("a long answer was cut off: %s %s", r->route->method, r->route->path);
		http_send_cut(s->f);
	} else {
		http_send_end(s->f);
	}
}

static void run(struct req *r, FCGX_Request *f, int64_t started_us)
{
	struct stream s = { .sink = { put_piece }, .r = r, .f = f };
	struct ledger ledger;
	leave_worker(r, f);
	set_signals(r);
	/* The row in the ledger is the worker's, and so is the connection: closing it here would
	   end it there. */
	r->ledger = NULL;
	enum rc rc = take_place(r, &ledger);
	if (!rc && r->stream.wait)
		r->stream.wait(r, &ledger);
	r->db = db_new(r->conf, true);
	db_name_request(r->db, r->id);
	if (!rc)
		rc = make(&s);
	if (r->stream.drop)
		r->stream.drop(r);
	/* A client that has received everything may send the next request. */
	ledger_release(&ledger);
	answer(&s, rc, started_us);
	db_end(r->db);
	audit_log_print(r, r->db);
	db_free(r->db);
	ledger_close(&ledger);
}

/* The worker ----------------------------------------------------------------------- */

enum rc stream_hand_over(struct req *r, FCGX_Request *f, int64_t started_us)
{
	int status = -1;
	enum rc rc = look_for_place(r);
	if (rc) {
		if (r->stream.drop)
			r->stream.drop(r);
		return rc;
	}
	pid_t pid = fork();
	if (pid == 0) {
		/*
		 * Forks again, so that the working process is nobody's child and nobody has to
		 * wait for it.
		 */
		pid = fork();
		if (pid == 0)
			run(r, f, started_us);
		_exit(pid < 0);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		for (int i = 0; i < REQ_STREAM_FILES && r->stream.files[i]; i++)
			close(*r->stream.files[i]);
		return RC_OK;
	}
	log_error("cannot start a process for a long answer: %m");
	if (r->stream.drop)
		r->stream.drop(r);
	return RC_UNAVAILABLE;
}
