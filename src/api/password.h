/* Password reset pages: what the links in mails lead to, whole HTML without a script. */
#ifndef API_PASSWORD_H
#define API_PASSWORD_H

#include "http/req.h"

/* A form for an address, to which a link is sent. */
void password_page_ask(struct req *r);
/* A form for a new password, with what was wrong with the last one (null: nothing). */
void password_page_choose(struct req *r, const char *problem);
/* Where a page leads on to. */
enum password_next { PASSWORD_ASK, PASSWORD_SIGN_IN };
/* A page that says one thing, with a link. Texts of these pages are English or German, as the
 * browser prefers; in C they stand in English. */
void password_page_say(struct req *r, const char *text, enum password_next next);

#endif
