/* Values in the text form of COPY: columns with a tab between them, NULL as \N. */
#ifndef COPY_TEXT_H
#define COPY_TEXT_H

#include <stdbool.h>

#include "lib/buf.h"

/* A text; absent: NULL. */
void copy_text_put(struct buf *to, struct str s);
void copy_text_null(struct buf *to);

/* An array of texts: begin, items, end; all of them are one value. */
void copy_text_array(struct buf *to);
void copy_text_item(struct buf *to, struct str s, bool is_first);
void copy_text_array_end(struct buf *to);

/* "2017-05-03T23:29:42.000001Z"; is_local: without the Z. */
void copy_text_time(struct buf *to, int64_t us, bool is_local);

#endif
