#include "lib/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A pipe takes up to PIPE_BUF bytes in one piece: lines of many workers stay apart. */
enum { LINE_MAX_BYTES = 4096, TEXT_MAX_BYTES = 3900 };

struct level {
	const char *word;
	const char *number;
};

static const struct level level_error = { "error: ", "<3>" };
static const struct level level_warn = { "warning: ", "<4>" };
static const struct level level_info = { "info: ", "<6>" };

/* How many bytes at s can be shown as they are: printable ASCII or one character above U+009F. */
static size_t printable_length(struct str s)
{
	unsigned char c = (unsigned char)s.p[0];

	if (c >= 0x20 && c < 0x7f)
		return 1;
	if (c < 0xc2 || (c == 0xc2 && s.n > 1 && (unsigned char)s.p[1] < 0xa0))
		return 0;
	for (size_t n = 2; n <= 4 && n <= s.n; n++) {
		if (str_is_text((struct str){ s.p, n }))
			return n;
	}
	return 0;
}

/* Appends text to the line of n bytes, made harmless; returns the new length. */
static size_t append_escaped(char *line, size_t n, struct str text)
{
	static const char hex[] = "0123456789abcdef";

	while (text.n > 0 && n < TEXT_MAX_BYTES) {
		size_t step = printable_length(text);
		unsigned char c = (unsigned char)text.p[0];

		if (step > 0) {
			memcpy(line + n, text.p, step);
			n += step;
		} else {
			line[n++] = '\\';
			line[n++] = 'x';
			line[n++] = hex[c >> 4];
			line[n++] = hex[c & 15];
			step = 1;
		}
		text.p += step;
		text.n -= step;
	}
	if (text.n > 0) {
		memcpy(line + n, "...", 3);
		n += 3;
	}
	return n;
}

static void write_all(const char *p, size_t n)
{
	while (n > 0) {
		ssize_t done = write(STDERR_FILENO, p, n);

		if (done < 0) {
			if (errno == EINTR)
				continue;
			return;
		}
		p += done;
		n -= (size_t)done;
	}
}

static char request[LOG_ID_MAX + 6]; /* " id=…", or empty */

static bool is_id(const char *id)
{
	size_t n = strspn(id, "0123456789-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

	return n > 0 && n <= LOG_ID_MAX && id[n] == '\0';
}

bool log_set_request(const char *id)
{
	bool is = id && is_id(id);

	request[0] = '\0';
	if (is)
		str_print(request, sizeof(request), " id=%s", id);
	return is;
}

static void put(const struct level *level, const char *format, va_list args)
{
	int saved = errno;
	char text[TEXT_MAX_BYTES + 2];
	char line[LINE_MAX_BYTES];
	/* Before isatty, which changes errno: the format may hold %m. */
	int length = vsnprintf(text, sizeof(text), format, args);
	const char *prefix = isatty(STDERR_FILENO) ? level->word : level->number;
	size_t n = strlen(prefix);

	memcpy(line, prefix, n);
	if (length < 0)
		n = append_escaped(line, n, str_of(format));
	else if ((size_t)length < sizeof(text))
		n = append_escaped(line, n, (struct str){ text, (size_t)length });
	else
		n = append_escaped(line, n, (struct str){ text, sizeof(text) - 1 });
	memcpy(line + n, request, strlen(request));
	n += strlen(request);
	line[n++] = '\n';
	write_all(line, n);
	errno = saved;
}

bool log_object(const char *word, struct str json)
{
	char line[LINE_MAX_BYTES];
	struct str start = str_print(line, sizeof(line), "%s%s ",
		isatty(STDERR_FILENO) ? level_info.word : level_info.number, word);
	size_t n = start.n + json.n;

	for (struct str rest = json; rest.n > 0;) {
		size_t step = printable_length(rest);
		if (step == 0)
			return false;
		rest = (struct str){ rest.p + step, rest.n - step };
	}
	if (n + 1 > sizeof(line))
		return false;
	memcpy(line + start.n, json.p, json.n);
	line[n++] = '\n';
	write_all(line, n);
	return true;
}

void log_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put(&level_error, format, args);
	va_end(args);
}

void log_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put(&level_warn, format, args);
	va_end(args);
}

void log_info(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put(&level_info, format, args);
	va_end(args);
}

void log_die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put(&level_error, format, args);
	va_end(args);
	exit(EXIT_FAILURE);
}

void log_die_config(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put(&level_error, format, args);
	va_end(args);
	exit(LOG_STATUS_CONFIG);
}
