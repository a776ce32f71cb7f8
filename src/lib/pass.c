#include "lib/pass.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* A message of the mark and one descriptor. */
struct message {
	char mark;
	struct iovec bytes;
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr header;
};

static void prepare(struct message *m)
{
	memset(m, 0, sizeof *m);
	m->mark = PASS_MARK;
	m->bytes = (struct iovec){ &m->mark, 1 };
	m->header.msg_iov = &m->bytes;
	m->header.msg_iovlen = 1;
	m->header.msg_control = m->control.room;
	m->header.msg_controllen = sizeof m->control.room;
}

void pass_find(struct pass *p, int listening)
{
	socklen_t n = sizeof p->address;
	p->length = 0;
	if (getsockname(listening, (struct sockaddr *)&p->address, &n) == 0 &&
		p->address.sun_family == AF_UNIX && n <= sizeof p->address &&
		n > offsetof(struct sockaddr_un, sun_path))
		p->length = n;
}

bool pass_give(const struct pass *p, int fd)
{
	struct message m;
	int to = p->length ? socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0) : -1;
	if (to < 0)
		return false;
	prepare(&m);
	struct cmsghdr *c = CMSG_FIRSTHDR(&m.header);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
	bool given = !connect(to, (const struct sockaddr *)&p->address, p->length) &&
		sendmsg(to, &m.header, MSG_NOSIGNAL) == 1;
	close(to);
	return given;
}

/* Nobody else may give us descriptors. */
static bool is_one_of_us(int fd)
{
	struct ucred peer;
	socklen_t n = sizeof peer;
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 && peer.uid == geteuid();
}

int pass_take(int from)
{
	struct message m;
	int fd = -1;
	prepare(&m);
	if (!is_one_of_us(from) || recvmsg(from, &m.header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1)
		return -1;
	struct cmsghdr *c = CMSG_FIRSTHDR(&m.header);
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
		c->cmsg_len == CMSG_LEN(sizeof fd))
		memcpy(&fd, CMSG_DATA(c), sizeof fd);
	return fd;
}
