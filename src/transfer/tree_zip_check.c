#include "transfer/tree_zip.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* The end of an archive, and what stands before it in long ones (APPNOTE.TXT, 4.3.14 to 4.3.16). */
enum {
	END = 22,
	LOCATOR = 20,
	LONG_END = 56,
	COMMENT_MAX = 0xffff,
	FILES_MAX = 150000,
	LIST_MAX = 32 << 20
};

static uint64_t little(const unsigned char *p, int n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

/* Names in the list stand there plain, so a list of many files is long, and one of few is not. */
static bool is_bounded(uint64_t files, uint64_t bytes)
{
	return files <= FILES_MAX && bytes <= LIST_MAX;
}

static bool is_long_bounded(int fd, int64_t size, const unsigned char *locator)
{
	unsigned char p[LONG_END];
	uint64_t at = little(locator + 8, 8);

	if (at > (uint64_t)size || pread(fd, p, sizeof(p), (off_t)at) != (ssize_t)sizeof(p) ||
		memcmp(p, "PK\6\6", 4) != 0)
		return true;
	return is_bounded(little(p + 32, 8), little(p + 40, 8));
}

/* Every place that could be the end is looked at: which of them the library takes is its choice. */
const char *tree_zip_check(int fd, int64_t size)
{
	static unsigned char tail[END + LOCATOR + COMMENT_MAX];
	const size_t n = size < (int64_t)sizeof(tail) ? (size_t)size : sizeof(tail);
	bool found = false;

	if (pread(fd, tail, n, size - (off_t)n) != (ssize_t)n)
		return "it cannot be read";
	for (size_t i = 0; i + LOCATOR <= n; i++) {
		const unsigned char *p = tail + i;
		bool good = true;

		if (memcmp(p, "PK\6\7", 4) == 0) {
			good = is_long_bounded(fd, size, p);
		} else if (i + END <= n && memcmp(p, "PK\5\6", 4) == 0) {
			found = true;
			/* All bits: the long end says it. */
			good = is_bounded(little(p + 10, 2), 0) &&
				(little(p + 12, 4) == 0xffffffff ||
					is_bounded(0, little(p + 12, 4)));
		}
		if (!good)
			return "its list of files is too long: unpack it, and import the folder";
	}
	return found ? NULL : "the archive has no end: it was not loaded whole";
}
