#include "service/bell.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/log.h"

struct bell_file {
	_Atomic uint64_t rung;
};

/* FNV-1a: two installations that share a bell would only query more often. */
static uint64_t number_of(const char *s)
{
	uint64_t h = UINT64_C(14695981039346656037);
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(1099511628211);
	return h;
}

struct bell bell_of(const char *base_url)
{
	struct bell b = { .fd = -1 };
	snprintf(b.name, sizeof b.name, "/planwright-bell-%016llx",
		(unsigned long long)number_of(base_url ? base_url : ""));
	return b;
}

static void let_go(struct bell *b)
{
	if (b->file)
		munmap(b->file, sizeof *b->file);
	if (b->fd >= 0)
		close(b->fd);
	b->file = NULL;
	b->fd = -1;
}

/* Refuses a file of another user; root may ring any. */
static bool is_right(int fd, bool makes)
{
	struct stat st;
	if (fstat(fd, &st))
		return false;
	errno = EPERM;
	if (!S_ISREG(st.st_mode) || st.st_mode & 077 || (st.st_uid != geteuid() && geteuid() != 0))
		return false;
	if (makes && st.st_size == 0)
		return ftruncate(fd, sizeof(struct bell_file)) == 0;
	return st.st_size == sizeof(struct bell_file);
}

static bool open_it(struct bell *b, bool makes)
{
	void *p = MAP_FAILED;
	b->fd = shm_open(b->name, makes ? O_RDWR | O_CREAT : O_RDWR, 0600);
	if (b->fd >= 0 && is_right(b->fd, makes))
		p = mmap(NULL, sizeof(struct bell_file), PROT_READ | PROT_WRITE, MAP_SHARED, b->fd,
			0);
	if (p != MAP_FAILED) {
		b->file = p;
		return true;
	}
	int error = errno;
	let_go(b);
	errno = error;
	return false;
}

/* Whether it no longer has a name, so that no new process finds it. */
static bool is_gone(const struct bell *b)
{
	struct stat st;
	return fstat(b->fd, &st) || st.st_nlink == 0;
}

void bell_ring(struct bell *b)
{
	if (b->file && is_gone(b))
		let_go(b);
	if (b->file || open_it(b, false))
		atomic_fetch_add_explicit(&b->file->rung, 1, memory_order_relaxed);
}

/* The lock lets bell_close see whether it is the last. */
bool bell_listen(struct bell *b)
{
	enum { TRIES = 5 };
	for (int i = 0; i < TRIES; i++) {
		if (!open_it(b, true) || flock(b->fd, LOCK_SH))
			break;
		if (!is_gone(b)) {
			b->heard = atomic_load_explicit(&b->file->rung, memory_order_relaxed);
			return true;
		}
		let_go(b);
	}
	log_warn("the database is checked every second, because the shared memory %s cannot be "
		 "used: %m",
		b->name);
	let_go(b);
	return false;
}

/* The service manager may remove the file together with the last program of another unit
   (RemoveIPC). */
bool bell_hears(struct bell *b)
{
	if (!b->file)
		return false;
	if (is_gone(b)) {
		let_go(b);
		bell_listen(b);
		return true;
	}
	uint64_t rung = atomic_load_explicit(&b->file->rung, memory_order_relaxed);
	bool is_new = rung != b->heard;
	b->heard = rung;
	return is_new;
}

void bell_close(struct bell *b)
{
	if (b->file && !flock(b->fd, LOCK_EX | LOCK_NB) && !is_gone(b))
		shm_unlink(b->name);
	let_go(b);
}
