/* Uploads: the content does not depend on how the body is cut, and is a part of the body. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/buf.h"
#include "lib/multipart.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool keep(void *to, const char *p, size_t n)
{
	buf_put(to, p, n);
	return true;
}

static bool parse(const char *p, size_t size, size_t piece, struct buf *out)
{
	static struct multipart m;
	struct str type = STR("multipart/form-data; boundary=XX");
	if (!multipart_begin(&m, type, "file", keep, out))
		abort();
	for (size_t i = 0; i < size; i += piece)
		if (!multipart_feed(&m, p + i, size - i < piece ? size - i : piece))
			return false;
	if (m.found && !str_is_text(str_of(m.filename)))
		abort();
	return multipart_is_complete(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data;
	struct buf whole = { 0 }, cut = { 0 };
	bool ok = parse(p, size, size ? size : 1, &whole);
	bool ok_cut = parse(p, size, 7, &cut);
	if (ok && ok_cut && (whole.n != cut.n || (whole.n && memcmp(whole.p, cut.p, whole.n))))
		abort();
	if (whole.n && !memmem(p, size, whole.p, whole.n))
		abort();
	buf_free(&whole);
	buf_free(&cut);
	return 0;
}
