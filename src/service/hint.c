#include "service/hint.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

const char *const hint_presences[] = { "gone", "looking", "typing", NULL };

static void become_look(struct hints *hints)
{
	hints->v[0] = (struct hint){ .kind = HINT_LOOK };
	hints->n = 1;
}

void hint_add(struct hints *hints, enum hint_kind kind, int64_t id, int64_t version)
{
	for (int i = 0; i < hints->n; i++) {
		struct hint *known = &hints->v[i];
		if (known->kind != kind || known->id != id)
			continue;
		if (known->version < version)
			known->version = version;
		return;
	}
	if (hints->n == HINTS_MAX)
		become_look(hints);
	else
		hints->v[hints->n++] = (struct hint){ .kind = kind, .id = id, .version = version };
}

/* Datagrams ------------------------------------------------------------------- */

static struct str write_line(const struct hint *h, char *to, size_t size)
{
	long long id = h->id, story = h->story, person = h->person;
	switch (h->kind) {
	case HINT_PROJECT:
		return str_print(to, size, "project %lld %lld\n", id, (long long)h->version);
	case HINT_PERSON: return str_print(to, size, "person %lld\n", id);
	case HINT_PRESENCE:
		return str_print(to, size, "presence %lld %lld %lld %s\n", id, story, person,
			hint_presences[h->presence]);
	case HINT_LOOK: break;
	}
	return str_print(to, size, "look\n");
}

size_t hint_write(const struct hints *hints, char to[HINT_DATAGRAM_MAX])
{
	size_t n = 0;
	for (int i = 0; i < hints->n; i++)
		n += write_line(&hints->v[i], to + n, HINT_DATAGRAM_MAX - n).n;
	return n;
}

static bool read_number(struct str *rest, int64_t *n)
{
	return rest->p && str_to_int(str_cut(rest, ' '), n) && *n > 0;
}

static bool read_presence(struct str rest, struct hint *h)
{
	h->kind = HINT_PRESENCE;
	if (!read_number(&rest, &h->id) || !read_number(&rest, &h->story) ||
		!read_number(&rest, &h->person) || !rest.p)
		return false;
	for (int i = 0; hint_presences[i]; i++) {
		h->presence = (enum hint_presence)i;
		if (str_equal_z(rest, hint_presences[i]))
			return true;
	}
	return false;
}

static bool read_line(struct str line, struct hint *h)
{
	struct str rest = line, word = str_cut(&rest, ' ');
	*h = (struct hint){ .kind = HINT_LOOK };
	if (str_equal_z(word, "look"))
		return !rest.p;
	if (str_equal_z(word, "presence"))
		return read_presence(rest, h);
	h->kind = str_equal_z(word, "project") ? HINT_PROJECT : HINT_PERSON;
	if (h->kind == HINT_PERSON && !str_equal_z(word, "person"))
		return false;
	return read_number(&rest, &h->id) &&
		(h->kind == HINT_PERSON || read_number(&rest, &h->version)) && !rest.p;
}

bool hint_read(struct str datagram, struct hints *hints)
{
	struct str rest = datagram;
	hints->n = 0;
	if (datagram.n == 0 || datagram.p[datagram.n - 1] != '\n')
		return false;
	rest.n--;
	while (rest.p) {
		struct hint h;
		if (hints->n == HINTS_MAX || !read_line(str_cut(&rest, '\n'), &h)) {
			hints->n = 0;
			return false;
		}
		hints->v[hints->n++] = h;
	}
	return true;
}

/* The socket --------------------------------------------------------------------- */

struct hint_target hint_target(const char *path)
{
	struct hint_target to = { .address = { .sun_family = AF_UNIX } };
	size_t n = path ? strlen(path) : 0;
	to.is_on = n > 0 && n < sizeof to.address.sun_path;
	if (to.is_on)
		memcpy(to.address.sun_path, path, n);
	return to;
}

static int new_socket(void)
{
	return socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

void hint_send(struct hint_target *to, struct hints *hints)
{
	char datagram[HINT_DATAGRAM_MAX];
	size_t n = hint_write(hints, datagram);
	hints->n = 0;
	if (!to->is_on || n == 0)
		return;
	if (to->fd <= 0)
		to->fd = new_socket();
	if (to->fd > 0)
		(void)!sendto(to->fd, datagram, n, MSG_NOSIGNAL,
			(const struct sockaddr *)&to->address, sizeof to->address);
}

bool hint_has_listener(const struct hint_target *to)
{
	int fd = to->is_on ? new_socket() : -1;
	if (fd < 0)
		return false;
	bool listens = !connect(fd, (const struct sockaddr *)&to->address, sizeof to->address);
	close(fd);
	return listens;
}
