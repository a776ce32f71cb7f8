#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/pass.h"

/* A listening socket below /tmp with a queue of this length. */
static int listen_on(struct sockaddr_un *address, int queue)
{
	char folder[] = "/tmp/planwright.XXXXXX";
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	cr_assert_not_null(mkdtemp(folder));
	address->sun_family = AF_UNIX;
	snprintf(address->sun_path, sizeof address->sun_path, "%s/s", folder);
	cr_assert_eq(bind(fd, (struct sockaddr *)address, sizeof *address), 0);
	cr_assert_eq(listen(fd, queue), 0);
	return fd;
}

static void clean(struct sockaddr_un *address)
{
	unlink(address->sun_path);
	*strrchr(address->sun_path, '/') = '\0';
	rmdir(address->sun_path);
}

Test(pass, a_connection_goes_with_what_was_sent_on_it)
{
	struct sockaddr_un address = { 0 };
	int listening = listen_on(&address, 5), pair[2];
	char text[16] = "";
	struct pass p;

	pass_find(&p, listening);
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	cr_assert_eq(write(pair[0], "before", 6), 6);
	cr_assert(pass_give(&p, pair[1]));
	close(pair[1]);
	cr_assert_eq(write(pair[0], " after", 6), 6);

	int carrier = accept(listening, NULL, NULL);
	cr_assert_eq(recv(carrier, text, 1, MSG_PEEK), 1);
	cr_expect_eq(text[0], PASS_MARK);
	int fd = pass_take(carrier);
	cr_assert_geq(fd, 0);
	cr_expect_eq(pass_take(carrier), -1, "there is one");
	cr_expect_eq(read(fd, text, sizeof text), 12);
	cr_expect_str_eq(text, "before after");
	close(fd);
	cr_expect_eq(read(pair[0], text, 1), 0, "nobody else holds it");

	close(carrier);
	close(listening);
	close(pair[0]);
	clean(&address);
}

Test(pass, what_brings_nothing)
{
	struct sockaddr_un address = { 0 };
	int listening = listen_on(&address, 5), to = socket(AF_UNIX, SOCK_STREAM, 0);
	char mark = PASS_MARK;

	cr_assert_eq(connect(to, (struct sockaddr *)&address, sizeof address), 0);
	int from = accept(listening, NULL, NULL);
	cr_expect_eq(pass_take(from), -1, "it is silent");
	cr_assert_eq(write(to, &mark, 1), 1);
	cr_expect_eq(pass_take(from), -1);
	close(to);
	cr_expect_eq(pass_take(from), -1);
	close(from);
	close(listening);
	clean(&address);
}

Test(pass, nowhere_to_go)
{
	struct sockaddr_un address = { 0 };
	int listening = listen_on(&address, 1), tcp = socket(AF_INET, SOCK_STREAM, 0), given = 0;
	struct pass p;

	pass_find(&p, tcp);
	cr_expect_not(pass_give(&p, tcp), "a TCP socket has no way back");
	pass_find(&p, listening);
	while (given < 10 && pass_give(&p, tcp))
		given++;
	cr_expect(given > 0 && given < 10, "a full queue is not waited for");
	close(listening);
	cr_expect_not(pass_give(&p, tcp), "nobody listens");
	clean(&address);
	cr_expect_not(pass_give(&p, tcp), "the path is gone");
	close(tcp);
}
