#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/log.h"
#include "lib/when.h"
#include "programs/live/live.h"
#include "programs/live/live_request.h"
#include "service/err.h"

enum {
	LIFE_MIN_S =
		1800, /* a stream ends after this, or up to twice this: its client reconnects */
	RETRY_MIN_MS = 1000,
	RETRY_SPREAD_MS = 2000, /* plus one for each stream, up to … */
	RETRY_SPREAD_MAX_MS = 10000,
};

static int any_of(int n)
{
	return (int)(random() % n);
}

/* Slots: one of them is visited each second -------------------------------------------- */

static void leave_slot(struct live *l, struct live_stream *s)
{
	if (s->before)
		s->before->after = s->after;
	else
		l->beats[s->slot] = s->after;
	if (s->after)
		s->after->before = s->before;
}

static void enter_slot(struct live *l, struct live_stream *s, int64_t second)
{
	s->slot = (int)(second % LIVE_BEAT_SECONDS);
	s->before = NULL;
	s->after = l->beats[s->slot];
	if (s->after)
		s->after->before = s;
	l->beats[s->slot] = s;
}

/* Opening and closing ------------------------------------------------------------------- */

static void watch(struct live *l, struct live_stream *s, int how, uint32_t events)
{
	struct epoll_event e = { .events = events | EPOLLRDHUP, .data.ptr = s };
	if (epoll_ctl(l->epoll, how, s->fd, &e))
		log_die("epoll: %m");
}

static void take_connection(struct live *l, int fd)
{
	struct live_stream *s = calloc(1, sizeof *s);
	if (!s)
		log_die("out of memory");
	s->fd = fd;
	l->n_streams++;
	enter_slot(l, s, l->second + LIVE_READ_SECONDS);
	watch(l, s, EPOLL_CTL_ADD, EPOLLIN);
}

void live_stream_accept(struct live *l)
{
	for (;;) {
		int fd = accept4(l->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0 && l->n_streams < l->most_streams)
			take_connection(l, fd);
		else if (fd >= 0)
			close(fd); /* left waiting, it would wake the loop again and again */
		else if (errno != EINTR && errno != ECONNABORTED)
			return;
	}
}

void live_stream_close(struct live *l, struct live_stream *s)
{
	if (s->fd < 0)
		return;
	leave_slot(l, s);
	live_watch_leave(l, s);
	live_watch_release(&l->people, s->person);
	live_watch_release(&l->networks, s->network);
	buf_free(&s->rest);
	close(s->fd);
	s->fd = -1;
	s->after_of_caller = l->closed;
	l->closed = s;
	l->n_streams--;
}

void live_stream_bury(struct live *l)
{
	while (l->closed) {
		struct live_stream *next = l->closed->after_of_caller;
		free(l->closed);
		l->closed = next;
	}
}

/* Writing ------------------------------------------------------------------------------------ */

/* False if it was closed. */
static bool put(struct live *l, struct live_stream *s, struct str bytes)
{
	ssize_t n = send(s->fd, bytes.p, bytes.n, MSG_NOSIGNAL);
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		live_stream_close(l, s);
		return false;
	}
	size_t done = n > 0 ? (size_t)n : 0;
	if (done == bytes.n)
		return true;
	buf_put(&s->rest, bytes.p + done, bytes.n - done);
	s->is_watched = true;
	watch(l, s, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
	return true;
}

static void put_event(struct live *l, struct buf *b, const char *name)
{
	int64_t now = when_millis(when_now());
	l->last_id = now > l->last_id ? now : l->last_id + 1;
	buf_printf(b, "id: %lld\nevent: %s\n", (long long)l->last_id, name);
}

static void put_present(
	struct live *l, const struct live_stream *s, struct live_link *k, struct buf *b)
{
	const struct live_presences *all = &k->project->present;
	const struct live_presence *x;
	for (size_t at = 0; (x = live_presence_next(all, &at, s->caller->person, k->told_turn));) {
		put_event(l, b, "presence");
		buf_printf(b,
			"data: {\"project_id\":%lld,\"story_id\":%lld,\"person_id\":%lld,"
			"\"state\":\"%s\"}\n\n",
			(long long)k->project->id, (long long)x->story, (long long)x->person,
			hint_presences[x->is]);
	}
	k->told_turn = all->turn;
}

static void put_news(struct live *l, struct live_stream *s, struct buf *b)
{
	for (size_t i = 0; i < s->n_links; i++) {
		struct live_link *k = &s->links[i];
		if (k->hears_presence)
			put_present(l, s, k, b);
		if (k->told == k->project->version)
			continue;
		k->told = k->project->version;
		put_event(l, b, "project");
		buf_printf(b, "data: {\"project_id\":%lld,\"version\":%lld}\n\n",
			(long long)k->project->id, (long long)k->told);
	}
	if (s->told_unread == s->caller->unread)
		return;
	s->told_unread = s->caller->unread;
	put_event(l, b, "notifications");
	buf_printf(b, "data: {\"unread\":%lld}\n\n", (long long)s->told_unread);
}

void live_stream_tell(struct live *l, struct live_stream *s)
{
	static struct buf b;
	b.n = 0;
	/*
	 * While something waits to be written, nothing is added: once it is sent, the client is
	 * told the current state.
	 */
	if (s->is_watched)
		return;
	put_news(l, s, &b);
	if (b.n)
		put(l, s, buf_str(&b));
}

static void write_rest(struct live *l, struct live_stream *s)
{
	struct buf rest = s->rest;
	s->rest = (struct buf){ 0 };
	s->is_watched = false;
	watch(l, s, EPOLL_CTL_MOD, EPOLLIN);
	bool is_there = put(l, s, buf_str(&rest));
	buf_free(&rest);
	if (is_there)
		live_stream_tell(l, s);
}

/* Answers ----------------------------------------------------------------------------------------- */

static void put_head(struct buf *b, const char *status, const char *type)
{
	buf_printf(b,
		"HTTP/1.1 %s\r\nContent-Type: %s\r\nCache-Control: no-store\r\n"
		"Connection: close\r\n",
		status, type);
}

/* Sends an error object (contract 1.4), and closes the connection. */
static void refuse(struct live *l, struct live_stream *s, enum rc rc, const char *why)
{
	const struct err_kind *e = &err_kinds[rc];
	struct buf b = { 0 }, body = { 0 };
	buf_printf(&body,
		"{\"code\":\"%s\",\"kind\":\"error\",\"error\":\"%s\",\"general_problem\":\"%s\"",
		e->code, e->error, why);
	if (e->possible_fix)
		buf_printf(&body, ",\"possible_fix\":\"%s\"", e->possible_fix);
	buf_put_char(&body, '}');
	put_head(&b,
		rc == RC_TOO_MANY_REQUESTS     ? "429 Too Many Requests"
			: rc == RC_UNAVAILABLE ? "503 Service Unavailable"
					       : "403 Forbidden",
		"application/json; charset=utf-8");
	if (rc != RC_UNAUTHORIZED_OPERATION)
		buf_put_z(&b, "Retry-After: 30\r\n");
	buf_printf(&b, "Content-Length: %zu\r\n\r\n", body.n);
	buf_put_str(&b, buf_str(&body));
	if (put(l, s, buf_str(&b)))
		live_stream_close(l, s);
	buf_free(&body);
	buf_free(&b);
}

static int retry_ms(const struct live *l)
{
	int spread = RETRY_SPREAD_MS + l->n_streams;
	return RETRY_MIN_MS + any_of(spread < RETRY_SPREAD_MAX_MS ? spread : RETRY_SPREAD_MAX_MS);
}

/* Sends the head of the answer, then the current state of everything. */
static void begin(struct live *l, struct live_stream *s, const struct ticket *t, bool is_head)
{
	struct buf b = { 0 };
	put_head(&b, "200 OK", "text/event-stream");
	buf_printf(&b, "X-Planwright-Person: %lld\r\n\r\n", (long long)t->person);
	if (is_head) {
		if (put(l, s, buf_str(&b)))
			live_stream_close(l, s);
		buf_free(&b);
		return;
	}
	live_watch_join(l, s, t);
	s->is_open = true;
	s->ends_s = l->second + LIFE_MIN_S + any_of(LIFE_MIN_S);
	leave_slot(l, s);
	enter_slot(l, s, l->second + 1 + any_of(LIVE_BEAT_SECONDS - 1));
	buf_printf(&b, "retry: %d\n\n", retry_ms(l));
	put_news(l, s, &b);
	put(l, s, buf_str(&b));
	buf_free(&b);
}

static void open_stream(struct live *l, struct live_stream *s, const struct live_request *request)
{
	struct ticket t;
	if (!live_secret_read(l, request->ticket, &t) && !l->secret.is_right)
		refuse(l, s, RC_UNAVAILABLE,
			"planwright-live has another secret than the database.");
	else if (!live_secret_read(l, request->ticket, &t))
		refuse(l, s, RC_UNAUTHORIZED_OPERATION,
			"The ticket for live updates is invalid or has expired.");
	else if (!live_watch_claim(
			 &l->people, (uint64_t)t.person, l->conf.live_per_person, &s->person))
		refuse(l, s, RC_TOO_MANY_REQUESTS,
			"This person already has as many streams of live updates open as one "
			"person may.");
	else if (!live_watch_claim(&l->networks, t.network, l->conf.live_per_address, &s->network))
		refuse(l, s, RC_TOO_MANY_REQUESTS,
			"This address already has as many streams of live updates open as one "
			"address may.");
	else
		begin(l, s, &t, request->is_head);
}

/* Whether the ticket has to wait for what the database says about our secret. */
static bool waits(struct live *l, struct live_stream *s, const struct live_request *request)
{
	struct ticket t;
	if (s->doubted_ms || live_secret_read(l, request->ticket, &t))
		return false;
	s->doubted_ms = live_clock_ms();
	live_secret_doubt(l);
	return true;
}

/* Handles the request once it has been read completely. */
static void take_request(struct live *l, struct live_stream *s, bool is_over)
{
	struct live_request request;
	enum live_read read =
		is_over ? LIVE_READ_BAD : live_request_read(buf_str(&s->rest), &request);
	if (read == LIVE_READ_MORE || (read == LIVE_READ_DONE && waits(l, s, &request)))
		return;
	struct buf bytes = s->rest; /* rest now takes what is left to write */
	s->rest = (struct buf){ 0 };
	if (read == LIVE_READ_DONE)
		open_stream(l, s, &request);
	else
		live_stream_close(l, s);
	buf_free(&bytes);
}

static void read_request(struct live *l, struct live_stream *s)
{
	char *to = buf_reserve(&s->rest, LIVE_REQUEST_MAX + 1 - s->rest.n);
	ssize_t n = recv(s->fd, to, LIVE_REQUEST_MAX + 1 - s->rest.n, 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		s->rest.n += (size_t)n;
	/* A client must not send anything while its ticket waits. */
	take_request(l, s, n <= 0 || s->doubted_ms);
}

void live_stream_again(struct live *l, int64_t before_ms)
{
	for (int i = 0; i < LIVE_BEAT_SECONDS; i++)
		for (struct live_stream *s = l->beats[i], *next; s; s = next) {
			next = s->after;
			if (s->fd >= 0 && !s->is_open && s->doubted_ms &&
				s->doubted_ms <= before_ms)
				take_request(l, s, false);
		}
}

/* Clients send nothing on an open stream: anything to read means that it has ended. */
static bool has_ended(struct live_stream *s)
{
	char byte;
	ssize_t n = recv(s->fd, &byte, 1, 0);
	return n >= 0 || (errno != EAGAIN && errno != EINTR);
}

void live_stream_ready(struct live *l, struct live_stream *s, uint32_t events)
{
	if (s->fd < 0)
		return;
	bool reads = events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR);
	if (!s->is_open)
		read_request(l, s);
	else if (reads && has_ended(s))
		live_stream_close(l, s);
	else if (events & EPOLLOUT)
		write_rest(l, s);
}

/* Time --------------------------------------------------------------------------------------------- */

static void look_after(struct live *l, struct live_stream *s)
{
	if (!s->is_open || (s->is_watched && s->is_late) || l->second >= s->ends_s) {
		live_stream_close(l, s);
		return;
	}
	s->is_late = s->is_watched;
	if (!s->is_watched)
		put(l, s, STR(":\n\n"));
}

void live_stream_beat(struct live *l)
{
	for (struct live_stream *s = l->beats[l->second % LIVE_BEAT_SECONDS], *next; s; s = next) {
		next = s->after;
		look_after(l, s);
	}
}
