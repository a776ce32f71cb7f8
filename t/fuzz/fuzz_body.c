/* What body_parse accepts and body_text writes is accepted again and written the same. */
#include <stdint.h>
#include <stdlib.h>

#include "lib/body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	const char *problem = NULL, *again = NULL;
	struct body *value = body_parse(&a, (struct str){ (const char *)data, size }, &problem);

	if (!value != (problem != NULL))
		abort();
	if (value) {
		struct str text = body_text(&a, value);
		struct body *second = body_parse(&a, text, &again);
		if (!str_is_text(text) || !second || again)
			abort();
		if (!str_equal(text, body_text(&a, second)))
			abort();
	}
	arena_free(&a);
	return 0;
}
