/* This process is the service; the service manager is a socket of this process, too. */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/notify.h"

static int manager(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	memcpy(address.sun_path, name, strlen(name));
	if (*name == '@')
		address.sun_path[0] = '\0';
	cr_assert_eq(bind(fd, (struct sockaddr *)&address,
			     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name))),
		0);
	setenv("NOTIFY_SOCKET", name, 1);
	return fd;
}

static void expect(int fd, const char *text)
{
	char got[200] = "";
	ssize_t n = recv(fd, got, sizeof got - 1, 0);
	cr_assert_eq(n, (ssize_t)strlen(text));
	cr_assert_str_eq(got, text);
}

Test(notify, a_manager_hears_each_state)
{
	char name[60];
	snprintf(name, sizeof name, "@planwright-test-%d", (int)getpid());
	int fd = manager(name);
	notify_send("READY=1");
	notify_send("WATCHDOG=1\nSTATUS=x");
	expect(fd, "READY=1");
	expect(fd, "WATCHDOG=1\nSTATUS=x");
	notify_forget();
	notify_send("READY=1");
	cr_assert_eq(recv(fd, name, sizeof name, 0), -1);
	close(fd);
}

Test(notify, a_manager_with_a_path)
{
	char name[60];
	snprintf(name, sizeof name, "/tmp/planwright-test-%d", (int)getpid());
	int fd = manager(name);
	notify_send("STOPPING=1");
	expect(fd, "STOPPING=1");
	unlink(name);
	close(fd);
	notify_send("READY=1"); /* it is gone: nothing happens */
}

Test(notify, the_watchdog_is_told_twice_as_often)
{
	char pid[20];
	snprintf(pid, sizeof pid, "%d", (int)getpid());
	notify_forget();
	cr_assert_eq(notify_watchdog_ms(), 0);
	setenv("WATCHDOG_USEC", "30000000", 1);
	cr_assert_eq(notify_watchdog_ms(), 15000);
	setenv("WATCHDOG_PID", "1", 1);
	cr_assert_eq(notify_watchdog_ms(), 0);
	setenv("WATCHDOG_PID", pid, 1);
	cr_assert_eq(notify_watchdog_ms(), 15000);
	setenv("WATCHDOG_USEC", "1", 1);
	cr_assert_eq(notify_watchdog_ms(), 1);
	setenv("WATCHDOG_USEC", "x", 1);
	cr_assert_eq(notify_watchdog_ms(), 0);
}

Test(notify, a_socket_is_passed_to_one_process)
{
	char pid[20];
	snprintf(pid, sizeof pid, "%d", (int)getpid());
	notify_forget();
	cr_assert_eq(notify_listening(), -1);
	cr_assert_geq(fcntl(3, F_GETFD), 0, "the framework has one open");
	setenv("LISTEN_FDS", "1", 1);
	setenv("LISTEN_PID", pid, 1);
	cr_assert_eq(notify_listening(), 3);
	setenv("LISTEN_PID", "1", 1);
	cr_assert_eq(notify_listening(), -1);
}
