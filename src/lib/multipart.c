#include "lib/multipart.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The value of a parameter of a header, unquoted into `to`; false: it has none that fits. */
static bool header_parameter(struct str header, const char *name, char *to, size_t size)
{
	size_t length = strlen(name), n = 0;
	const char *p = header.p, *end = header.p + header.n;
	for (bool quoted = false; p < end; p++) {
		if (*p == '"')
			quoted = !quoted;
		else if (*p == '\\' && quoted && p + 1 < end)
			p++;
		else if (*p == ';' && !quoted) {
			const char *q = p + 1;
			while (q < end && (*q == ' ' || *q == '\t'))
				q++;
			if ((size_t)(end - q) > length && !strncasecmp(q, name, length) &&
				q[length] == '=') {
				p = q + length + 1;
				break;
			}
		}
	}
	if (p >= end)
		return false;
	bool quoted = *p == '"';
	for (p += quoted; p < end && (quoted ? *p != '"' : *p != ';' && *p != ' '); p++) {
		/* Only a quote and a backslash are escaped: old browsers send C:\dir\name. */
		if (quoted && *p == '\\' && p + 1 < end && (p[1] == '"' || p[1] == '\\'))
			p++;
		if (n + 1 == size)
			return false;
		to[n++] = *p;
	}
	to[n] = '\0';
	return true;
}

static bool is_boundary(const char *z)
{
	size_t n = strlen(z);
	static const char others[] = "'()+_,-./:=? ";
	for (const char *p = z; *p; p++)
		if (!((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
			    (*p >= 'A' && *p <= 'Z') || strchr(others, *p)))
			return false;
	return n > 0 && n <= MULTIPART_BOUNDARY_MAX && z[n - 1] != ' ';
}

bool multipart_begin(struct multipart *m, struct str content_type, const char *wanted,
	bool (*sink)(void *, const char *, size_t), void *to)
{
	static const struct str form = { "multipart/form-data", 19 };
	static const struct str related = { "multipart/related", 17 }; /* some clients use it */
	char boundary[MULTIPART_BOUNDARY_MAX + 1];
	struct str rest = content_type;
	*m = (struct multipart){ .sink = sink, .to = to, .wanted = wanted };
	struct str type = str_trim(str_cut(&rest, ';'));
	if (!content_type.p ||
		(!str_equal_nocase(type, form) && !str_equal_nocase(type, related)) ||
		!header_parameter(content_type, "boundary", boundary, sizeof boundary) ||
		!is_boundary(boundary))
		return false;
	m->n_delimiter = str_print(m->delimiter, sizeof m->delimiter, "\r\n--%s", boundary).n;
	/* The first boundary is at the very beginning, or after a line end. */
	memcpy(m->window, "\r\n", 2);
	m->n = 2;
	return true;
}

bool multipart_begin_parts(struct multipart *m, struct str content_type,
	bool (*part)(void *to, const char *name, const char *filename),
	bool (*sink)(void *, const char *, size_t), void *to)
{
	bool ok = multipart_begin(m, content_type, NULL, sink, to);
	m->part = part;
	return ok;
}

static void drop(struct multipart *m, size_t n)
{
	memmove(m->window, m->window + n, m->n - n);
	m->n -= n;
}

/* Percent-encoded text (RFC 8187, filename*) in place; false: malformed. */
static bool decode_percent(char *z)
{
	char *to = z;
	for (; *z; z++) {
		unsigned byte;
		if (*z != '%') {
			*to++ = *z;
			continue;
		}
		if (sscanf(z + 1, "%2x", &byte) != 1 || !z[1] || !z[2] || byte == 0)
			return false;
		*to++ = (char)byte;
		z += 2;
	}
	*to = '\0';
	return true;
}

/* Keeps what follows the last slash of either kind, as UTF-8 without control characters. */
static void clean_name(char *name)
{
	char *base = name;
	for (char *p = name; *p; p++)
		if (*p == '/' || *p == '\\')
			base = p + 1;
	memmove(name, base, strlen(base) + 1);
	if (!str_is_text(str_of(name)))
		for (char *p = name; *p; p++)
			if ((unsigned char)*p >= 0x80)
				*p = '_';
	for (char *p = name; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '_';
}

/* Browsers write a quote inside a quoted name as %22 (WHATWG, multipart/form-data). */
static void unescape_quotes(char *name)
{
	for (char *p = name; (p = strstr(p, "%22")); p++) {
		*p = '"';
		memmove(p + 1, p + 3, strlen(p + 3) + 1);
	}
}

static void read_disposition(struct multipart *m, struct str value)
{
	char name[128], star[MULTIPART_NAME_MAX];
	bool named = header_parameter(value, "name", name, sizeof name);
	m->taking = named && !m->part && !m->found && !strcmp(name, m->wanted);
	if (!m->taking && !(named && m->part))
		return;
	m->found = true;
	if (!header_parameter(value, "filename", m->filename, sizeof m->filename))
		m->filename[0] = '\0';
	if (header_parameter(value, "filename*", star, sizeof star) &&
		!strncasecmp(star, "UTF-8''", 7) && decode_percent(star) &&
		str_is_text(str_of(star + 7)))
		strcpy(m->filename, star + 7);
	unescape_quotes(m->filename);
	clean_name(m->filename);
	if (m->part)
		m->taking = m->part(m->to, name, m->filename);
}

static void read_headers(struct multipart *m, struct str headers)
{
	static const char wanted[] = "content-disposition:";
	m->taking = false;
	while (headers.p) {
		struct str line = str_trim(str_cut(&headers, '\n'));
		if (line.n >= sizeof wanted - 1 &&
			!strncasecmp(line.p, wanted, sizeof wanted - 1)) {
			read_disposition(m, line);
			return;
		}
	}
}

/* Looks for the next delimiter; what is certainly before it goes to the sink. */
static bool take_content(struct multipart *m, bool *more)
{
	const char *at = memmem(m->window, m->n, m->delimiter, m->n_delimiter);
	size_t keep = m->n_delimiter - 1;
	size_t n = at ? (size_t)(at - m->window) : m->n > keep ? m->n - keep : 0;
	if (n && m->state == MULTIPART_CONTENT && m->taking && !m->sink(m->to, m->window, n))
		return false;
	drop(m, at ? n + m->n_delimiter : n);
	if (at)
		m->state = MULTIPART_BOUNDARY;
	*more = at;
	return true;
}

/* After a boundary: "--" ends the body, a line end begins a part. */
static bool take_boundary(struct multipart *m, bool *more)
{
	const char *end = memchr(m->window, '\n', m->n);
	*more = false;
	if (m->n >= 2 && !memcmp(m->window, "--", 2)) {
		m->state = MULTIPART_END;
		return true;
	}
	if (!end)
		return m->n < 200;
	for (const char *p = m->window; p < end; p++)
		if (*p != ' ' && *p != '\t' && *p != '\r')
			return false;
	/* The line end stays: there may be no headers at all. */
	drop(m, (size_t)(end - m->window) - (end > m->window && end[-1] == '\r'));
	m->state = MULTIPART_HEADERS;
	*more = true;
	return true;
}

static bool take_headers(struct multipart *m, bool *more)
{
	const char *at = memmem(m->window, m->n, "\r\n\r\n", 4);
	*more = at;
	if (!at)
		return m->n < MULTIPART_WINDOW / 2;
	/* The line end before the content may be that of an empty content's boundary. */
	const char *line_end = at + 2;
	size_t left = m->n - (size_t)(line_end - m->window);
	size_t some = left < m->n_delimiter ? left : m->n_delimiter;
	bool is_empty = !memcmp(line_end, m->delimiter, some);
	if (is_empty && left < m->n_delimiter) {
		*more = false; /* the next piece decides */
		return true;
	}
	read_headers(m, (struct str){ m->window, (size_t)(at - m->window) });
	drop(m, (size_t)(line_end - m->window) + (is_empty ? 0 : 2));
	m->state = MULTIPART_CONTENT;
	return true;
}

static bool step(struct multipart *m, bool *more)
{
	switch (m->state) {
	case MULTIPART_PREAMBLE:
	case MULTIPART_CONTENT: return take_content(m, more);
	case MULTIPART_BOUNDARY: return take_boundary(m, more);
	case MULTIPART_HEADERS: return take_headers(m, more);
	case MULTIPART_END:
		m->n = 0;
		*more = false;
		return true;
	}
	return false;
}

bool multipart_feed(struct multipart *m, const char *p, size_t n)
{
	while (n) {
		size_t room = MULTIPART_WINDOW - m->n, piece = n < room ? n : room;
		bool more = true;
		if (piece == 0)
			return false;
		memcpy(m->window + m->n, p, piece);
		m->n += piece;
		p += piece;
		n -= piece;
		while (more)
			if (!step(m, &more))
				return false;
	}
	return true;
}

bool multipart_is_complete(const struct multipart *m)
{
	return m->state == MULTIPART_END;
}
