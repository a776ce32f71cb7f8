/* Password reset pages, which the links in mails open: complete HTML without scripts. */
#ifndef API_PASSWORD_H
#define API_PASSWORD_H

#include "http/req.h"

/* A form for an address, to which a link is sent. */
void password_page_ask(struct req *r);
/* A form for a new password, with the problem of the last one (null: none). */
void password_page_choose(struct req *r, const char *problem);
/* Where a page leads on to. */
enum password_next { PASSWORD_ASK, PASSWORD_SIGN_IN };
/*
 * A page with one message and a link. These pages are in English or German, as the browser
 * prefers; the C code has the English texts.
 */
void password_page_say(struct req *r, const char *text, enum password_next next);

#endif
