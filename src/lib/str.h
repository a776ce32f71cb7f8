/*
 * Counted strings: what comes from outside is a pointer and a length, and a
 * slice of a request is never copied. The bytes belong to somebody else (the
 * request, an arena, a constant). A null pointer means "absent".
 */
#ifndef STR_H
#define STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str {
	const char *p;
	size_t n;
};

#define STR(literal) ((struct str){ "" literal, sizeof(literal) - 1 })

/* From a NUL ended string; null gives the absent string. */
struct str str_of(const char *z);

/* printf into an array, with a NUL: what fits of the text. */
struct str str_print(char *to, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The absent string equals the empty one. */
bool str_equal(struct str a, struct str b);
bool str_equal_z(struct str a, const char *z);

/* ASCII letters compare alike whatever their case. */
bool str_equal_nocase(struct str a, struct str b);

/* Without spaces, tabs and line ends at either side. */
struct str str_trim(struct str s);

/*
 * Whether nothing of well-formed UTF-8 leaves ink: it is empty, or all of it is white space,
 * controls, and what Unicode calls ignorable or of no width.
 */
bool str_is_blank(struct str s);

/*
 * Cuts *rest at the first `separator`: returns what is before it and leaves in
 * *rest what is behind it. Without one the whole of *rest is returned and
 * *rest becomes absent (p null), which ends the usual loop.
 */
struct str str_cut(struct str *rest, char separator);

/* A decimal integer, an optional '-' and digits only, in 64 bits; else false. */
bool str_to_int(struct str s, int64_t *value);

/*
 * Well-formed UTF-8 (RFC 3629: no overlong form, no surrogate, nothing above
 * U+10FFFF) without U+0000, which PostgreSQL text cannot hold.
 */
bool str_is_text(struct str s);

/* Bytes of the well-formed character at the beginning; 0: there is none. */
size_t str_char_size(struct str s);

/* Number of Unicode code points in well-formed UTF-8. */
size_t str_count_chars(struct str s);

/* The first n of them, or all. */
struct str str_head(struct str s, size_t n);

#endif
