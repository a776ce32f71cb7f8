#include <criterion/criterion.h>

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/listen.h"

static char problem[300];

static int listening(int fd)
{
	int yes = 0;
	socklen_t n = sizeof yes;
	return fd >= 0 && !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &yes, &n) && yes;
}

Test(listen, a_path_is_for_user_and_group)
{
	char path[60];
	struct stat st;
	snprintf(path, sizeof path, "/tmp/planwright-listen-%d", (int)getpid());
	int fd = listen_open(path, problem, sizeof problem);
	cr_assert(listening(fd), "%s", problem);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert(S_ISSOCK(st.st_mode) && (st.st_mode & 0777) == 0660);

	cr_assert_eq(listen_open(path, problem, sizeof problem), -1);
	cr_assert(strstr(problem, "another process is listening"), "%s", problem);
	close(fd);
	fd = listen_open(path, problem, sizeof problem); /* nobody listens any more */
	cr_assert(listening(fd), "%s", problem);
	close(fd);
	unlink(path);
}

Test(listen, a_file_is_not_taken_away)
{
	char path[60];
	snprintf(path, sizeof path, "/tmp/planwright-file-%d", (int)getpid());
	fclose(fopen(path, "w"));
	cr_assert_eq(listen_open(path, problem, sizeof problem), -1);
	cr_assert_eq(access(path, F_OK), 0);
	unlink(path);
}

/* A port that was free a moment ago. */
static int free_port(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof at;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	cr_assert(!bind(fd, (struct sockaddr *)&at, n));
	cr_assert(!getsockname(fd, (struct sockaddr *)&at, &n));
	close(fd);
	return ntohs(at.sin_port);
}

Test(listen, ports)
{
	static const char *const hosts[] = { "127.0.0.1", "localhost" };
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		char place[40];
		snprintf(place, sizeof place, "%s:%d", hosts[i], free_port());
		int fd = listen_open(place, problem, sizeof problem);
		cr_assert(listening(fd), "%s", problem);
		cr_assert_eq(listen_open(place, problem, sizeof problem), -1);
		close(fd);
	}
}

Test(listen, what_is_no_place)
{
	static const char *const places[] = { "", "x", ":", ":80", "127.0.0.1:", "127.0.0.1:0",
		"127.0.0.1:65536", "127.0.0.1:x", "127.0.0.1:-1", "[]:80", "[::1:80",
		"/nowhere/at/all",
		"/tmp/0123456789012345678901234567890123456789012345678901234567890123456789012345678901"
		"23456789012345678901234567890" };
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		*problem = '\0';
		cr_assert_eq(listen_open(places[i], problem, sizeof problem), -1, "%s", places[i]);
		cr_assert(*problem && !strchr(problem, '\n'));
	}
}
