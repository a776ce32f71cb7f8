#include "service/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/log.h"

/*
 * The process with row n locks byte n of the file as long as it lives, and the process that is
 * counting locks byte DOOR. The locked bytes themselves mean nothing.
 */
enum { ROWS_MAX = 256, DOOR = ROWS_MAX, DOOR_TRIES = 50, DOOR_PAUSE_US = 200, OPEN_TRIES = 10 };
enum { TOLD_MAX = 64, KNOWN_MAX = 4096, DEBTS_MAX = 1024, DEBT_PLACES = 8, OTHERS = 2 };

struct row {
	_Atomic uint64_t who;     /* 0: nobody */
	_Atomic int64_t since_us; /* all times are of the clock that all processes share */
	_Atomic uint32_t part;
	_Atomic uint32_t part_beyond; /* of 1000: how much of its time counts as beyond the half */
	_Atomic uint32_t is_marked;   /* a worker: slow; others: has its turn */
};

/* Each is at the place of its number; of two with the same place, the later one is known. */
struct told {
	_Atomic uint64_t who;
	_Atomic int64_t until_us;
};

/* `check` is the two numbers xored: values written by two processes at once match nobody. */
struct known {
	_Atomic uint64_t check, who;
};

/*
 * When the credit will be full again. Of those in the slots of a number, the oldest is evicted.
 */
struct debt {
	_Atomic uint64_t who;
	_Atomic int64_t until_us;
};

/* A caller, and when it is forgotten. */
struct visit {
	_Atomic uint64_t who;
	_Atomic uint64_t before; /* their number until the person was known */
	_Atomic int64_t until_us;
};

struct ledger_file {
	_Atomic int32_t n_rows; /* no later row was ever taken */
	struct row rows[ROWS_MAX];
	struct told told[TOLD_MAX];
	struct known known[KNOWN_MAX];
	struct debt debts[DEBTS_MAX];
	struct visit lately[OTHERS]; /* the last two callers */
};

static int64_t clock_us(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static bool set_lock(const struct ledger *l, short type, int at)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
	return fcntl(l->fd, F_SETLK, &lock) == 0;
}

static bool is_alive(const struct ledger *l, int row)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = row, .l_len = 1 };
	return fcntl(l->fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* Waits only briefly: a process that is stopped inside must not stop others. */
static bool enter(const struct ledger *l)
{
	for (int i = 0; i < DOOR_TRIES; i++) {
		if (set_lock(l, F_WRLCK, DOOR))
			return true;
		usleep(DOOR_PAUSE_US);
	}
	return false;
}

static void leave(const struct ledger *l, bool inside)
{
	if (inside)
		set_lock(l, F_UNLCK, DOOR);
}

static struct row *my_row(const struct ledger *l)
{
	return &l->file->rows[l->mine];
}

static uint64_t my_who(const struct ledger *l)
{
	return atomic_load(&my_row(l)->who);
}

/* Opening and closing ------------------------------------------------------------ */

/* A file created by another user is not trusted; a new one consists of zeros. */
static bool is_own(const struct ledger *l, const struct stat *st)
{
	errno = EPERM;
	if (!S_ISREG(st->st_mode) || st->st_uid != geteuid() || st->st_mode & 077)
		return false;
	if (st->st_size == 0)
		return ftruncate(l->fd, sizeof(struct ledger_file)) == 0;
	return st->st_size == sizeof(struct ledger_file);
}

static bool map(struct ledger *l)
{
	void *p = mmap(
		NULL, sizeof(struct ledger_file), PROT_READ | PROT_WRITE, MAP_SHARED, l->fd, 0);
	l->file = p == MAP_FAILED ? NULL : p;
	return l->file;
}

static bool take_row(struct ledger *l, enum ledger_part part)
{
	for (l->mine = 0; l->mine < ROWS_MAX; l->mine++) {
		if (!set_lock(l, F_WRLCK, l->mine))
			continue;
		atomic_store(&my_row(l)->who, 0);
		atomic_store(&my_row(l)->part, part);
		if (atomic_load(&l->file->n_rows) <= l->mine)
			atomic_store(&l->file->n_rows, l->mine + 1);
		return true;
	}
	errno = ENOSPC;
	return false;
}

/* False with *gone: the last process has just removed it. */
static bool join(struct ledger *l, enum ledger_part part, bool *gone)
{
	struct stat st;
	*gone = false;
	l->fd = shm_open(l->name, O_RDWR | O_CREAT, 0600);
	if (l->fd < 0)
		return false;
	bool inside = enter(l);
	bool joined = fstat(l->fd, &st) == 0 && is_own(l, &st);
	*gone = joined && st.st_nlink == 0;
	joined = joined && !*gone && map(l) && take_row(l, part);
	leave(l, inside);
	return joined;
}

static void forget(struct ledger *l)
{
	if (l->file)
		munmap(l->file, sizeof *l->file);
	l->file = NULL;
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}

void ledger_open(struct ledger *l, const char *name, enum ledger_part part)
{
	bool gone = true;
	*l = (struct ledger){ .fd = -1 };
	snprintf(l->name, sizeof l->name, "%s", name);
	for (int i = 0; gone && i < OPEN_TRIES; i++) {
		if (join(l, part, &gone))
			return;
		if (gone)
			forget(l);
	}
	log_warn("one person can use all workers, because the shared memory %s cannot be used: %m",
		l->name);
	forget(l);
}

static bool is_last(const struct ledger *l)
{
	for (int i = 0; i < ROWS_MAX; i++)
		if (i != l->mine && is_alive(l, i))
			return false;
	return true;
}

void ledger_close(struct ledger *l)
{
	if (!l->file)
		return;
	if (enter(l) && is_last(l))
		shm_unlink(l->name);
	forget(l);
}

/* Counting ------------------------------------------------------------------------- */

struct sight {
	int all;    /* of the part, including this one */
	int own;    /* of the same person, excluding this one */
	int marked; /* of those */
	int64_t beyond_us;
};

static bool is_of(const struct ledger *l, int i, enum ledger_part part)
{
	return atomic_load(&l->file->rows[i].part) == part && is_alive(l, i);
}

/* What others occupy; querying locks is cheap, and done only where there may be something. */
static struct sight look_at(
	const struct ledger *l, uint64_t who, enum ledger_part part, int64_t now)
{
	struct sight s = { .all = 1 };
	int n = atomic_load(&l->file->n_rows);
	for (int i = 0; i < n; i++) {
		struct row *row = &l->file->rows[i];
		if (i == l->mine || atomic_load(&row->who) != who || !is_of(l, i, part))
			continue;
		s.own++;
		s.marked += atomic_load(&row->is_marked) != 0;
		s.beyond_us += (now - atomic_load(&row->since_us)) *
			(int64_t)atomic_load(&row->part_beyond) / 1000;
	}
	for (int i = 0; s.own && i < n; i++)
		s.all += i != l->mine && is_of(l, i, part);
	return s;
}

static int half_of(const struct sight *s)
{
	return s->all > 1 ? s->all / 2 : 1;
}

static bool has_slow_slot(const struct ledger *l, uint64_t who)
{
	struct sight s = look_at(l, who, LEDGER_WORKER, clock_us());
	return s.marked == 0 || s.marked < half_of(&s);
}

/* Who else is active ---------------------------------------------------------------- */

static void note_visit(struct ledger_file *f, uint64_t who, int64_t now)
{
	struct visit *to = f->lately, *other = f->lately + 1;
	if (atomic_load(&other->who) == who ||
		(atomic_load(&to->who) != who &&
			atomic_load(&other->until_us) < atomic_load(&to->until_us)))
		to = other;
	if (atomic_exchange(&to->who, who) != who)
		atomic_store(&to->before, 0);
	atomic_store(&to->until_us, now + LEDGER_ALONE_MS * 1000);
}

/*
 * A caller who signs in with a password is first an address and then a person: these count as
 * one.
 */
static bool is_same(const struct visit *v, const struct visit *other, uint64_t who)
{
	return atomic_load(&v->who) == who || atomic_load(&v->before) == who ||
		(atomic_load(&other->who) == who &&
			atomic_load(&other->before) == atomic_load(&v->who));
}

static bool is_alone(struct ledger_file *f, uint64_t who, int64_t now)
{
	for (int i = 0; i < OTHERS; i++)
		if (!is_same(f->lately + i, f->lately + 1 - i, who) &&
			atomic_load(&f->lately[i].until_us) > now)
			return false;
	return true;
}

/* The credit ------------------------------------------------------------------------ */

static struct debt *find_debt(struct ledger_file *f, uint64_t who)
{
	struct debt *oldest = NULL;
	for (int i = 0; i < DEBT_PLACES; i++) {
		struct debt *d = &f->debts[(who + (uint64_t)i) % DEBTS_MAX];
		if (atomic_load(&d->who) == who)
			return d;
		if (!oldest || atomic_load(&d->until_us) < atomic_load(&oldest->until_us))
			oldest = d;
	}
	return oldest;
}

/* How long it takes to refill this much time beyond the half. */
static int64_t refill_us(int64_t beyond_us, const struct sight *s)
{
	int workers = s->all - half_of(s);
	return workers > 0 ? beyond_us * (LEDGER_REFILL_MS / LEDGER_CREDIT_MS) / workers : 0;
}

static bool is_spent(struct ledger_file *f, uint64_t who, const struct sight *s, int64_t now)
{
	const struct debt *d = find_debt(f, who);
	int64_t until = atomic_load(&d->who) == who ? atomic_load(&d->until_us) : 0;
	int64_t left = until > now ? until - now : 0;
	return !is_alone(f, who, now) &&
		left + refill_us(s->beyond_us, s) > LEDGER_REFILL_MS * 1000;
}

static void draw(struct ledger_file *f, uint64_t who, int64_t refill, int64_t now)
{
	struct debt *d = find_debt(f, who);
	if (atomic_exchange(&d->who, who) != who)
		atomic_store(&d->until_us, now);
	int64_t until = atomic_load(&d->until_us);
	while (!atomic_compare_exchange_weak(
		&d->until_us, &until, (until > now ? until : now) + refill))
		;
}

/* Requests ---------------------------------------------------------------------------- */

/* The part of a request's time that is beyond the half: of three, with two as the half, a third. */
static uint32_t part_beyond(const struct sight *s)
{
	int busy = s->own + 1, half = half_of(s);
	return s->own > 0 && busy > half ? (uint32_t)(1000 * (busy - half) / busy) : 0;
}

bool ledger_begin(struct ledger *l, uint64_t who)
{
	if (!l->file)
		return true;
	int64_t now = clock_us();
	struct sight s = look_at(l, who, LEDGER_WORKER, now);
	uint32_t beyond = part_beyond(&s);
	note_visit(l->file, who, now);
	if (beyond && is_spent(l->file, who, &s, now))
		return false;
	atomic_store(&my_row(l)->since_us, now);
	atomic_store(&my_row(l)->part_beyond, beyond);
	atomic_store(&my_row(l)->is_marked, 0);
	atomic_store(&my_row(l)->who, who);
	return true;
}

void ledger_move(struct ledger *l, uint64_t who)
{
	uint64_t before = l->file ? my_who(l) : 0;
	if (!before || before == who)
		return;
	atomic_store(&my_row(l)->who, who);
	for (int i = 0; i < OTHERS; i++) {
		struct visit *v = l->file->lately + i;
		uint64_t came = before;
		if (atomic_compare_exchange_strong(&v->who, &came, who))
			atomic_store(&v->before, before);
	}
}

void ledger_end(struct ledger *l)
{
	uint64_t who = l->file ? my_who(l) : 0;
	if (!who)
		return;
	int64_t now = clock_us();
	int64_t beyond_us = (now - atomic_load(&my_row(l)->since_us)) *
		(int64_t)atomic_load(&my_row(l)->part_beyond) / 1000;
	atomic_store(&my_row(l)->who, 0);
	if (beyond_us == 0 || is_alone(l->file, who, now))
		return;
	struct sight s = { .all = 1 };
	for (int i = 0; i < atomic_load(&l->file->n_rows); i++)
		s.all += i != l->mine && is_of(l, i, LEDGER_WORKER);
	draw(l->file, who, refill_us(beyond_us, &s), now);
}

bool ledger_claim_slow(struct ledger *l)
{
	uint64_t who = l->file ? my_who(l) : 0;
	if (!who || atomic_load(&my_row(l)->is_marked))
		return true;
	bool inside = enter(l);
	bool has_room = has_slow_slot(l, who);
	if (has_room)
		atomic_store(&my_row(l)->is_marked, 1);
	leave(l, inside);
	if (has_room)
		return true;
	struct told *told = &l->file->told[who % TOLD_MAX];
	atomic_store(&told->who, who);
	atomic_store(&told->until_us, clock_us() + LEDGER_TOLD_MS * 1000);
	return false;
}

bool ledger_was_told(struct ledger *l)
{
	uint64_t who = l->file ? my_who(l) : 0;
	if (!who || atomic_load(&my_row(l)->is_marked))
		return false;
	const struct told *told = &l->file->told[who % TOLD_MAX];
	return atomic_load(&told->who) == who && atomic_load(&told->until_us) > clock_us() &&
		!has_slow_slot(l, who);
}

/* Credentials -------------------------------------------------------------------------- */

uint64_t ledger_find(const struct ledger *l, uint64_t credential)
{
	if (!l->file)
		return 0;
	const struct known *k = &l->file->known[credential % KNOWN_MAX];
	uint64_t who = atomic_load(&k->who);
	return (atomic_load(&k->check) ^ who) == credential ? who : 0;
}

void ledger_learn(struct ledger *l, uint64_t credential, uint64_t who)
{
	if (!l->file || ledger_find(l, credential) == who)
		return;
	struct known *k = &l->file->known[credential % KNOWN_MAX];
	atomic_store(&k->check, credential ^ who);
	atomic_store(&k->who, who);
}

/* Processes other than workers ----------------------------------------------------------- */

bool ledger_has_place(
	const struct ledger *l, enum ledger_part part, uint64_t who, int own, int most)
{
	int mine = 0, all = 0; /* no file: nobody is refused */
	for (int i = 0; l->file && i < atomic_load(&l->file->n_rows); i++) {
		uint64_t whose = atomic_load(&l->file->rows[i].who);
		bool counts = i != l->mine && whose && is_of(l, i, part);
		all += counts;
		mine += counts && whose == who;
	}
	return mine < own && all < most;
}

bool ledger_claim(struct ledger *l, uint64_t who, int own, int most)
{
	if (!l->file)
		return true;
	bool inside = enter(l);
	bool has_room = ledger_has_place(l, (enum ledger_part)my_row(l)->part, who, own, most);
	if (has_room) {
		atomic_store(&my_row(l)->since_us, clock_us());
		atomic_store(&my_row(l)->is_marked, 0);
		atomic_store(&my_row(l)->who, who);
	}
	leave(l, inside);
	return has_room;
}

static bool waits(const struct ledger *l, int i, enum ledger_part part)
{
	const struct row *row = &l->file->rows[i];
	return atomic_load(&row->who) && !atomic_load(&row->is_marked) && is_of(l, i, part);
}

bool ledger_is_next(const struct ledger *l)
{
	if (!l->file)
		return true;
	enum ledger_part part = (enum ledger_part)atomic_load(&my_row(l)->part);
	int64_t since = atomic_load(&my_row(l)->since_us);
	for (int i = 0; i < atomic_load(&l->file->n_rows); i++) {
		int64_t other = atomic_load(&l->file->rows[i].since_us);
		if (i != l->mine && (other < since || (other == since && i < l->mine)) &&
			waits(l, i, part))
			return false;
	}
	return true;
}

void ledger_note_turn(struct ledger *l)
{
	if (l->file)
		atomic_store(&my_row(l)->is_marked, 1);
}

bool ledger_has_waiting(const struct ledger *l, enum ledger_part part)
{
	for (int i = 0; l->file && i < atomic_load(&l->file->n_rows); i++)
		if (i != l->mine && waits(l, i, part))
			return true;
	return false;
}

void ledger_release(struct ledger *l)
{
	if (l->file)
		atomic_store(&my_row(l)->who, 0);
}
