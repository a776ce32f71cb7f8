#include "service/metrics.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/log.h"

const int64_t metrics_bounds_us[METRICS_BOUNDS] = { 1000, 2500, 5000, 10000, 25000, 50000, 100000,
	250000, 500000, 1000000, 2500000, 10000000 };

/* A row is free if no process has its number: a killed process leaves it to the next. */
struct row {
	_Atomic int32_t pid;
	_Atomic int64_t busy_since; /* milliseconds of the clock that all processes share; 0: not */
};

/* If the form of this changes, so must LAYOUT, which is part of the file's name. */
struct metrics_file {
	_Atomic uint64_t requests[METRICS__ACCESS][METRICS_CLASSES];
	_Atomic uint64_t times[METRICS__ACCESS][METRICS_BOUNDS + 1];
	_Atomic uint64_t us[METRICS__ACCESS];
	_Atomic uint64_t events[METRICS__EVENT];
	struct row rows[METRICS_WORKERS_MAX];
};

enum { LAYOUT = 3 };

static int64_t clock_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void add(_Atomic uint64_t *to, uint64_t n)
{
	atomic_fetch_add_explicit(to, n, memory_order_relaxed);
}

const char *metrics_name(const struct crypt *crypt, const char *database, struct arena *a)
{
	struct str mac =
		crypt_mac(crypt, a, arena_printf(a, "metrics of the workers %s", database));
	uint64_t number;
	memcpy(&number, mac.p, sizeof number);
	return arena_printf(a, "/planwright-metrics%d-%016llx", LAYOUT, (unsigned long long)number)
		.p;
}

/* Taking part -------------------------------------------------------------------------- */

static bool is_alive(int32_t pid)
{
	return pid > 0 && (kill(pid, 0) == 0 || errno == EPERM);
}

static bool take_row(struct metrics *m)
{
	for (m->mine = 0; m->mine < METRICS_WORKERS_MAX; m->mine++) {
		struct row *row = &m->file->rows[m->mine];
		int32_t there = atomic_load(&row->pid);
		if (is_alive(there) ||
			!atomic_compare_exchange_strong(&row->pid, &there, (int32_t)getpid()))
			continue;
		atomic_store(&row->busy_since, 0);
		return true;
	}
	errno = ENOSPC;
	return false;
}

/* Our own file, with the right size; a new one consists of zeros. */
static bool is_right(int fd, bool makes)
{
	struct stat st;
	if (fstat(fd, &st))
		return false;
	errno = EPERM;
	if (!S_ISREG(st.st_mode) || (makes && st.st_uid != geteuid()) || st.st_mode & 077)
		return false;
	if (makes && st.st_size == 0)
		return ftruncate(fd, sizeof(struct metrics_file)) == 0;
	return st.st_size == sizeof(struct metrics_file);
}

static struct metrics_file *map(const char *name, bool makes)
{
	int fd = shm_open(name, makes ? O_RDWR | O_CREAT : O_RDONLY, 0600);
	void *p = MAP_FAILED;
	if (fd >= 0 && is_right(fd, makes))
		p = mmap(NULL, sizeof(struct metrics_file),
			makes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, 0);
	int error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return p == MAP_FAILED ? NULL : p;
}

void metrics_join(struct metrics *m, const char *name)
{
	*m = (struct metrics){ .mine = -1 };
	snprintf(m->name, sizeof m->name, "%s", name);
	m->file = map(name, true);
	if (m->file && take_row(m))
		return;
	log_warn("requests are not counted, because the shared memory %s cannot be used: %m",
		m->name);
	if (m->file)
		munmap(m->file, sizeof *m->file);
	m->file = NULL;
}

void metrics_leave(struct metrics *m)
{
	bool is_last = true;
	if (!m->file)
		return;
	atomic_store(&m->file->rows[m->mine].pid, 0);
	for (int i = 0; i < METRICS_WORKERS_MAX; i++)
		is_last = is_last && !is_alive(atomic_load(&m->file->rows[i].pid));
	if (is_last)
		shm_unlink(m->name);
	munmap(m->file, sizeof *m->file);
	m->file = NULL;
}

/* Counting ------------------------------------------------------------------------------- */

void metrics_begin(struct metrics *m)
{
	if (m->file)
		atomic_store_explicit(
			&m->file->rows[m->mine].busy_since, clock_ms(), memory_order_relaxed);
}

void metrics_end(struct metrics *m, enum metrics_access access, int status, int64_t us)
{
	int class = status / 100 - 1, i = 0;
	if (!m->file)
		return;
	atomic_store_explicit(&m->file->rows[m->mine].busy_since, 0, memory_order_relaxed);
	if (class < 0 || class >= METRICS_CLASSES)
		return;
	while (i < METRICS_BOUNDS && us > metrics_bounds_us[i])
		i++;
	add(&m->file->requests[access][class], 1);
	add(&m->file->times[access][i], 1);
	add(&m->file->us[access], us > 0 ? (uint64_t)us : 0);
}

void metrics_count(struct metrics *m, enum metrics_event event)
{
	if (m->file)
		add(&m->file->events[event], 1);
}

/* Looking ---------------------------------------------------------------------------------- */

static void copy(uint64_t *to, _Atomic uint64_t *from, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof *to; i++)
		to[i] = atomic_load_explicit(&from[i], memory_order_relaxed);
}

static void look_at_workers(struct metrics_file *f, struct metrics_sight *sight)
{
	int64_t now = clock_ms();
	for (int i = 0; i < METRICS_WORKERS_MAX; i++) {
		int64_t since = atomic_load(&f->rows[i].busy_since);
		if (!is_alive(atomic_load(&f->rows[i].pid)))
			continue;
		sight->workers++;
		sight->busy += since > 0;
		if (since > 0 && now - since > sight->busiest_ms)
			sight->busiest_ms = now - since;
	}
}

bool metrics_look(const char *name, struct metrics_sight *sight)
{
	struct metrics_file *f = map(name, false);
	struct metrics_counts *c = &sight->counts;
	*sight = (struct metrics_sight){ 0 };
	if (!f)
		return false;
	copy(c->requests[0], f->requests[0], sizeof c->requests);
	copy(c->times[0], f->times[0], sizeof c->times);
	copy(c->us, f->us, sizeof c->us);
	copy(c->events, f->events, sizeof c->events);
	look_at_workers(f, sight);
	munmap(f, sizeof *f);
	return true;
}
