#include "transfer/read/file_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int64_t file_read(struct intake_bytes *b, void *to, size_t n)
{
	struct file_bytes *f = (struct file_bytes *)b;
	ssize_t got;

	do
		got = read(f->fd, to, n);
	while (got < 0 && errno == EINTR);
	return got;
}

static bool file_rewind(struct intake_bytes *b)
{
	struct file_bytes *f = (struct file_bytes *)b;

	return lseek(f->fd, 0, SEEK_SET) == 0;
}

/* Closes a pipe or a device again: reading it might never end. */
static bool take(struct file_bytes *f, int fd)
{
	struct stat st;

	*f = (struct file_bytes){ { file_read, file_rewind }, fd, 0 };
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		f->size = st.st_size;
		return true;
	}
	file_bytes_close(f);
	errno = EINVAL;
	return false;
}

bool file_bytes_open(struct file_bytes *f, const char *path)
{
	return take(f, open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

/* Opens folder by folder, so that none of them is a link. */
bool file_bytes_open_below(struct file_bytes *f, int folder, const char *path)
{
	struct str rest = str_of(path);
	int fd = -1, at = folder;

	f->fd = -1;
	while (rest.p) {
		char name[256];
		struct str part = str_cut(&rest, '/');

		if (part.n == 0 || part.n >= sizeof(name) || str_equal_z(part, ".") ||
			str_equal_z(part, "..")) {
			fd = -1;
			errno = EINVAL;
		} else {
			memcpy(name, part.p, part.n);
			name[part.n] = '\0';
			fd = openat(at, name,
				O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW |
					(rest.p ? O_DIRECTORY : 0));
		}
		if (at != folder)
			close(at);
		if (fd < 0)
			return false;
		at = fd;
	}
	return take(f, fd);
}

void file_bytes_close(struct file_bytes *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

struct str file_bytes_start(struct intake_bytes *bytes, char *to, size_t size)
{
	size_t n = 0;

	while (n < size) {
		int64_t got = bytes->read(bytes, to + n, size - n);

		if (got < 0 && n == 0)
			return (struct str){ 0 };
		if (got <= 0)
			break;
		n += (size_t)got;
	}
	return bytes->rewind(bytes) ? (struct str){ to, n } : (struct str){ 0 };
}
