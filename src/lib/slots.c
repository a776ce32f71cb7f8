#include "lib/slots.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/log.h"

/*
 * Row n of the file is a number: for whom worker n is busy, 0 for nobody. Byte n is locked
 * by worker n as long as it lives, and byte DOOR by the one that counts. A lock says nothing
 * about the bytes that it stands on. Behind the rows stands who was refused lately, each in
 * the place of their number; of two who have the same place the later one is known.
 */
enum { ROWS_MAX = 256, DOOR = ROWS_MAX, DOOR_TRIES = 50, DOOR_PAUSE_US = 200, OPEN_TRIES = 10 };

enum { TOLD_MAX = 64 };

struct told {
	uint64_t who;
	int64_t until; /* milliseconds of the clock that all processes share */
};

static bool set_lock(const struct slots *s, short type, int at)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
	return fcntl(s->fd, F_SETLK, &lock) == 0;
}

static bool is_alive(const struct slots *s, int row)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = row, .l_len = 1 };
	return fcntl(s->fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

static bool put_row(const struct slots *s, uint64_t who)
{
	return pwrite(s->fd, &who, sizeof who, (off_t)s->mine * (off_t)sizeof who) ==
		(ssize_t)sizeof who;
}

/* Not for long: who stopped inside must not stop others. */
static bool enter(const struct slots *s)
{
	for (int i = 0; i < DOOR_TRIES; i++) {
		if (set_lock(s, F_WRLCK, DOOR))
			return true;
		usleep(DOOR_PAUSE_US);
	}
	return false;
}

static void leave(const struct slots *s, bool inside)
{
	if (inside)
		set_lock(s, F_UNLCK, DOOR);
}

/* Opening and closing ------------------------------------------------------------ */

/* A file that somebody else has put there is not ours to trust. */
static bool is_own(const struct stat *st)
{
	errno = EPERM;
	return S_ISREG(st->st_mode) && st->st_uid == geteuid() && (st->st_mode & 077) == 0;
}

static bool take_row(struct slots *s)
{
	for (s->mine = 0; s->mine < ROWS_MAX; s->mine++)
		if (set_lock(s, F_WRLCK, s->mine))
			return put_row(s, 0);
	errno = ENOSPC;
	return false;
}

/* False with *gone: the last one took it along just now. */
static bool join(struct slots *s, bool *gone)
{
	struct stat st;
	*gone = false;
	s->fd = shm_open(s->name, O_RDWR | O_CREAT, 0600);
	if (s->fd < 0)
		return false;
	bool inside = enter(s);
	bool joined = fstat(s->fd, &st) == 0 && is_own(&st);
	*gone = joined && st.st_nlink == 0;
	joined = joined && !*gone && take_row(s);
	leave(s, inside);
	return joined;
}

void slots_open(struct slots *s, const char *name)
{
	bool gone = true;
	*s = (struct slots){ .fd = -1 };
	snprintf(s->name, sizeof s->name, "%s", name);
	for (int i = 0; gone && i < OPEN_TRIES; i++) {
		if (join(s, &gone))
			return;
		if (gone)
			close(s->fd);
	}
	log_warn("slow requests of one person may hold all workers: the shared memory %s cannot "
		 "be used: %m",
		s->name);
	if (s->fd >= 0 && !gone)
		close(s->fd);
	s->fd = -1;
}

static bool is_last(const struct slots *s)
{
	for (int i = 0; i < ROWS_MAX; i++)
		if (i != s->mine && is_alive(s, i))
			return false;
	return true;
}

void slots_close(struct slots *s)
{
	if (s->fd < 0)
		return;
	if (enter(s) && is_last(s))
		shm_unlink(s->name);
	close(s->fd);
	s->fd = -1;
}

/* Slots -------------------------------------------------------------------------- */

static bool has_room(const struct slots *s, uint64_t who)
{
	uint64_t rows[ROWS_MAX];
	ssize_t n = pread(s->fd, rows, sizeof rows, 0) / (ssize_t)sizeof *rows;
	int workers = 1, busy = 0;
	for (int i = 0; i < n; i++)
		if (i != s->mine && is_alive(s, i)) {
			workers++;
			busy += rows[i] == who;
		}
	return busy < (workers > 1 ? workers / 2 : 1);
}

static bool is_free(const struct slots *s, uint64_t who, int most)
{
	uint64_t rows[ROWS_MAX];
	ssize_t n = pread(s->fd, rows, sizeof rows, 0) / (ssize_t)sizeof *rows;
	int busy = 0;
	for (int i = 0; i < n; i++)
		if (i != s->mine && rows[i] && is_alive(s, i)) {
			if (rows[i] == who)
				return false;
			busy++;
		}
	return busy < most;
}

static int64_t clock_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static off_t told_at(uint64_t who)
{
	return (off_t)(ROWS_MAX * sizeof who + who % TOLD_MAX * sizeof(struct told));
}

/* Who is not noted has a second more, no other harm. */
static void note_told(const struct slots *s, uint64_t who)
{
	struct told told = { who, clock_ms() + SLOTS_TOLD_MS };
	if (pwrite(s->fd, &told, sizeof told, told_at(who)) < 0)
		log_warn("the shared memory %s cannot be written: %m", s->name);
}

bool slots_claim(struct slots *s, uint64_t who)
{
	if (s->fd < 0 || s->held)
		return true;
	bool inside = enter(s);
	s->held = has_room(s, who) && put_row(s, who);
	leave(s, inside);
	if (!s->held)
		note_told(s, who);
	return s->held;
}

bool slots_claim_only(struct slots *s, uint64_t who, int most)
{
	if (s->fd < 0 || s->held)
		return true;
	bool inside = enter(s);
	s->held = is_free(s, who, most) && put_row(s, who);
	leave(s, inside);
	return s->held;
}

bool slots_was_told(struct slots *s, uint64_t who)
{
	struct told told;
	if (s->fd < 0 || s->held || pread(s->fd, &told, sizeof told, told_at(who)) != sizeof told)
		return false;
	return told.who == who && told.until > clock_ms() && !has_room(s, who);
}

void slots_release(struct slots *s)
{
	if (s->held)
		put_row(s, 0);
	s->held = false;
}
