/* The few pages that workers write themselves: a title, and what is below it. In English or German. */
#ifndef HTTP_PAGE_H
#define HTTP_PAGE_H

#include "http/req.h"

bool page_is_german(const struct req *r);

/* Takes the place of whatever was written; page_end closes it. The title is text of ours. */
void page_begin(struct req *r, const char *title);
void page_end(struct req *r);

/* A page of one sentence that leads to the sign-in page. A %s in the sentence is `label`. */
void page_refuse(struct req *r, const char *sentence, const char *label);

/* The same for an error of a row that leads a browser on (R_REDIRECTS): of what went wrong only the kind. */
void page_write_error(struct req *r, int status);

#endif
