/* FastCGI records, as a web server gone mad would send them: libfcgi reads them, and a worker reads the result. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "request_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* libfcgi leaks 48 bytes for a query about itself (FCGI_GET_VALUES), which nginx never sends. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libfcgi\n";
}

/* As accept.c begins with a connection that has data. */
static bool read_request(FCGX_Request *f, int fd)
{
	f->ipcFd = fd;
	f->keepConnection = 1;
	FCGX_Detach(f);
	f->listen_sock = -1;
	if (FCGX_Accept_r(f) < 0)
		return false;
	FCGX_Attach(f);
	return true;
}

/* libfcgi trusts the length of a parameter, and exits if there is no memory for it. nginx never sends such lengths. */
static bool has_long_length(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i + 4 <= n; i++)
		if (p[i] > 0x80 || (p[i] == 0x80 && p[i + 1] > 0))
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { REQUESTS = 4 };
	static bool is_ready;
	FCGX_Request f = { 0 };
	int ends[2];
	if (has_long_length(data, size))
		return 0;
	if (!is_ready && FCGX_Init())
		abort();
	is_ready = true;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		abort();
	if (send(ends[1], data, size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && size > 0)
		abort();
	shutdown(ends[1], SHUT_WR);
	int fd = ends[0];
	for (int i = 0; i < REQUESTS && fd >= 0 && read_request(&f, fd); i++) {
		request_check(&f);
		FCGX_Finish_r(&f);
		fd = f.ipcFd;
	}
	FCGX_Free(&f, 1);
	close(ends[1]);
	return 0;
}
