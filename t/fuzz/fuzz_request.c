/* The parameters of a request, one per line: its path, query, headers, cookies and token. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "request_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { MOST = 64 };
	static const char body[] = "CONTENT_LENGTH="; /* there is none */
	char *params[MOST + 1];
	struct arena a = { 0 };
	struct str rest = { (const char *)data, size };
	int n = 0;
	while (rest.p && n < MOST) {
		struct str line = str_cut(&rest, '\n');
		char *param = arena_chars(&a, line);
		if (param && strchr(param, '=') && strncmp(param, body, sizeof body - 1) != 0)
			params[n++] = param;
	}
	params[n] = NULL;
	FCGX_Request f = { .envp = params };
	request_check(&f);
	arena_free(&a);
	return 0;
}
