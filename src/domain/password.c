#include "domain/password.h"

#include <string.h>

const char *password_problem(struct str s)
{
	if (s.n > PASSWORD_MAX_BYTES)
		return "A password can have at most 1000 bytes.";
	if (s.n == 0 || str_count_chars(s) < PASSWORD_MIN_CHARS)
		return "A password must have at least 8 characters.";
	if (memchr(s.p, '\n', s.n) || memchr(s.p, '\r', s.n))
		return "A password must be a single line.";
	return NULL;
}
