#include "transfer/form/sniff.h"

#include <string.h>

#include "transfer/read/csv_kind.h"

static bool begins(struct str s, const char *with, size_t n)
{
	return s.n >= n && memcmp(s.p, with, n) == 0;
}

/* Files that people mistake for exports, by their first bytes. */
static const struct refused {
	const char *start;
	size_t n;
	const char *why;
} refused[] = {
	{ "\xd0\xcf\x11\xe0", 4, "it is an Excel spreadsheet: save it as CSV" },
	{ "\x1f\x8b", 2, "it is compressed: unpack it" },
	{ "BZh", 3, "it is compressed: unpack it" },
	{ "\xfd"
	  "7zXZ",
		5, "it is compressed: unpack it" },
	{ "\x28\xb5\x2f\xfd", 4, "it is compressed: unpack it" },
	{ "7z\xbc\xaf", 4, "it is a 7-Zip archive: unpack it" },
	{ "Rar!", 4, "it is a RAR archive: unpack it" },
	{ "%PDF", 4, "it is a PDF: export as CSV" },
	{ "\xff\xfe", 2, "it is UTF-16 text: save it as UTF-8" },
	{ "\xfe\xff", 2, "it is UTF-16 text: save it as UTF-8" },
};

/* Without a byte order mark and blanks at either side. */
static struct str text_of(struct str s)
{
	return str_trim(begins(s, "\xef\xbb\xbf", 3) ? (struct str){ s.p + 3, s.n - 3 } : s);
}

/* JSON begins with a bracket. */
static bool is_json(struct str s)
{
	struct str text = text_of(s);

	return text.n && (text.p[0] == '{' || text.p[0] == '[');
}

enum sniff sniff(struct str start, const char **why)
{
	static const enum sniff tables[] = { [CSV_STORIES] = SNIFF_STORIES,
		[CSV_HISTORY] = SNIFF_HISTORY,
		[CSV_MEMBERS] = SNIFF_MEMBERS };

	*why = NULL;
	if (text_of(start).n == 0)
		return SNIFF_EMPTY;
	if (begins(start, "PK\3\4", 4) || begins(start, "PK\5\6", 4))
		return SNIFF_ZIP;
	if (begins(start, "SQLite format 3\0", 16))
		return SNIFF_SQLITE;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (begins(start, refused[i].start, refused[i].n)) {
			*why = refused[i].why;
			return SNIFF_REFUSED;
		}
	}
	if (is_json(start))
		return SNIFF_JSON;
	const enum csv_kind kind = csv_start_of(start).kind;
	if (kind != CSV_NONE)
		return tables[kind];
	*why = "it is none of the files that can be imported: stories, history or members as "
	       "CSV, a project's zip, JSON of the API, an SQLite dump";
	if (begins(str_trim(start), "<", 1))
		*why = "it is HTML or XML: export as CSV, or as JSON of the API";
	return SNIFF_UNKNOWN;
}
