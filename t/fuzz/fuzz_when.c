/* An instant or date that is accepted is written in its canonical form, which reads back the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/when.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_instant(struct buf *b, int64_t us)
{
	int64_t again;

	buf_reset(b);
	when_put_iso(b, us);
	if (b->n != 20 || !when_parse(buf_str(b), &again))
		abort();
	if (again > us || us - again >= 1000000 || again % 1000000 != 0)
		abort();
	if (when_millis(again) * 1000 != again)
		abort();
}

static void check_date(struct buf *b, int32_t days, struct str text)
{
	buf_reset(b);
	when_put_date(b, days);
	if (!str_equal(buf_str(b), text))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct buf b = { 0 };
	int64_t us;
	int32_t days;

	if (when_parse(text, &us))
		check_instant(&b, us);
	if (when_parse_date(text, &days))
		check_date(&b, days, text);
	/* A database may return any 64 bits; writing them must not fail. */
	if (size >= sizeof(us)) {
		memcpy(&us, data, sizeof(us));
		buf_reset(&b);
		when_put_iso(&b, us);
		when_put_date(&b, (int32_t)(us >> 32));
		if (b.n < 30 || b.n > 50)
			abort();
	}
	buf_free(&b);
	return 0;
}
