#include "service/lease.h"

#include <stdlib.h>

static int64_t length_s(int64_t seconds)
{
	const char *said = getenv("PLANWRIGHT_LEASE_SECONDS");
	long n = said ? strtol(said, NULL, 10) : 0;
	return n > 0 ? n : seconds;
}

struct str lease_length(struct arena *a, int64_t seconds)
{
	return arena_printf(a, "%lld seconds", (long long)length_s(seconds));
}

int64_t lease_renewal_us(int64_t seconds)
{
	return length_s(seconds) * 1000000 / 5;
}
