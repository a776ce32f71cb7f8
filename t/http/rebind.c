/*
 * Preloaded into planwright-sender: "rebound.example" is 127.0.0.1 and 127.0.0.2 in turn, like a name whose owner changes its
 * address between two look-ups.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>

int getaddrinfo(const char *restrict node, const char *restrict service,
	const struct addrinfo *restrict hints, struct addrinfo **restrict found)
{
	static int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
	static unsigned asked;
	if (!real)
		real = (int (*)(const char *, const char *, const struct addrinfo *,
			struct addrinfo **))dlsym(RTLD_NEXT, "getaddrinfo");
	if (node && strcmp(node, "rebound.example") == 0)
		node = asked++ % 2 ? "127.0.0.2" : "127.0.0.1";
	return real(node, service, hints, found);
}
