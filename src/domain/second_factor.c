#include "domain/second_factor.h"

#include "lib/totp.h"

struct str second_factor_tidy(struct arena *a, struct str code)
{
	char *to = arena_alloc(a, code.n + 1);
	size_t n = 0;
	for (size_t i = 0; i < code.n; i++) {
		char c = code.p[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c != ' ' && c != '\t' && c != '-')
			to[n++] = c;
	}
	return (struct str){ to, n };
}

bool second_factor_is_step(struct str code)
{
	for (size_t i = 0; i < code.n; i++)
		if (code.p[i] < '0' || code.p[i] > '9')
			return false;
	return code.n == TOTP_DIGITS;
}

struct str second_factor_show(struct arena *a, struct str letters)
{
	int half = SECOND_FACTOR_RECOVERY_CHARS / 2;
	return arena_printf(a, "%.*s-%.*s", half, letters.p, half, letters.p + half);
}
