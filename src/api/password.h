/* The pages behind links in mails (password_page.c): whole HTML without a script. */
#ifndef API_PASSWORD_H
#define API_PASSWORD_H

#include "http/req.h"

/* A form for an address, to which a link is sent. */
void password_page_ask(struct req *r);
/* A form for a new password, with what was wrong with the last one (null: nothing). */
void password_page_choose(struct req *r, const char *problem);
/* A page that says one thing; with a link to the form for an address if `again`. */
void password_page_say(struct req *r, const char *text, bool again);

#endif
