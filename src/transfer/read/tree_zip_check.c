#include "transfer/read/tree_zip_check.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* The end of an archive, and what precedes it in long ones (APPNOTE.TXT, 4.3.14 to 4.3.16). */
enum {
	END = 22,
	LOCATOR = 20,
	LONG_END = 56,
	COMMENT_MAX = 0xffff,
	FILES_MAX = 150000,
	LIST_MAX = 32 << 20
};

uint64_t tree_zip_little(const unsigned char *p, int n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

/* The list is not compressed, so one of many files is long, and one of few files is not. */
static bool is_bounded(uint64_t files, uint64_t bytes)
{
	return files <= FILES_MAX && bytes <= LIST_MAX;
}

static bool is_long_bounded(int fd, int64_t size, const unsigned char *locator)
{
	unsigned char p[LONG_END];
	uint64_t at = tree_zip_little(locator + 8, 8);

	if (at > (uint64_t)size || pread(fd, p, sizeof(p), (off_t)at) != (ssize_t)sizeof(p) ||
		memcmp(p, "PK\6\6", 4) != 0)
		return true;
	return is_bounded(tree_zip_little(p + 32, 8), tree_zip_little(p + 40, 8));
}

/* Checks every place that could be the end: the library chooses which of them it takes. */
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
			/* All bits set: the long end says it. */
			good = is_bounded(tree_zip_little(p + 10, 2), 0) &&
				(tree_zip_little(p + 12, 4) == 0xffffffff ||
					is_bounded(0, tree_zip_little(p + 12, 4)));
		}
		if (!good)
			return "its list of files is too long: unpack it, and import the folder";
	}
	return found ? NULL : "the archive has no end: it was not downloaded completely";
}

/* What the long end says, which precedes the short one. */
static struct tree_zip_list long_list(int fd, int64_t end)
{
	const struct tree_zip_list none = { 0, 0 };
	unsigned char p[LONG_END];
	uint64_t at;

	if (end < LOCATOR || pread(fd, p, LOCATOR, (off_t)(end - LOCATOR)) != LOCATOR ||
		memcmp(p, "PK\6\7", 4) != 0)
		return none;
	at = tree_zip_little(p + 8, 8);
	if (at > INT64_MAX || pread(fd, p, sizeof(p), (off_t)at) != (ssize_t)sizeof(p) ||
		memcmp(p, "PK\6\6", 4) != 0)
		return none;
	return (struct tree_zip_list){ (int64_t)tree_zip_little(p + 48, 8),
		(size_t)tree_zip_little(p + 40, 8) };
}

struct tree_zip_list tree_zip_list(int fd, int64_t size)
{
	static unsigned char tail[END + COMMENT_MAX];
	const size_t n = size < (int64_t)sizeof(tail) ? (size_t)size : sizeof(tail);
	struct tree_zip_list list = { 0, 0 };
	size_t i = n < END ? 0 : n - END + 1;

	if (n < END || pread(fd, tail, n, size - (off_t)n) != (ssize_t)n)
		return list;
	while (i > 0 && memcmp(tail + i - 1, "PK\5\6", 4) != 0)
		i--;
	if (i == 0)
		return list;
	const unsigned char *p = tail + i - 1;
	list = (struct tree_zip_list){ (int64_t)tree_zip_little(p + 16, 4),
		(size_t)tree_zip_little(p + 12, 4) };
	if (list.at == 0xffffffff || list.n == 0xffffffff)
		list = long_list(fd, size - (int64_t)n + (int64_t)i - 1);
	if (list.at < 0 || list.at > size || list.n > LIST_MAX || (int64_t)list.n > size - list.at)
		list.n = 0;
	return list;
}
