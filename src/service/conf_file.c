#include "service/conf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/str.h"

enum { MAX_FILE_BYTES = 65536 };

static ssize_t read_all(int fd, char *to, size_t size)
{
	size_t n = 0;

	while (n < size) {
		ssize_t got = read(fd, to + n, size - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		n += (size_t)got;
	}
	return (ssize_t)n;
}

char *conf_file_read(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	ssize_t n = -1;

	if (fd < 0)
		return NULL;
	text = malloc(MAX_FILE_BYTES + 1);
	if (text)
		n = read_all(fd, text, MAX_FILE_BYTES + 1);
	if (n > MAX_FILE_BYTES) {
		errno = EFBIG;
		n = -1;
	} else if (n >= 0 && !str_is_text((struct str){ text, (size_t)n })) {
		errno = EILSEQ;
		n = -1;
	}
	int saved = errno;
	close(fd);
	if (n < 0) {
		free(text);
		errno = saved;
		return NULL;
	}
	text[n] = '\0';
	return text;
}

const char *conf_file_reason(int error)
{
	if (error == EFBIG)
		return "larger than 64 KiB";
	if (error == EILSEQ)
		return "not UTF-8 text";
	return strerror(error);
}

void conf_file_forget(char *value)
{
	if (value)
		explicit_bzero(value, strlen(value));
	free(value);
}
