/* Invitations by mail for people who become members by address (the statement letter_invite). */
#ifndef INVITE_H
#define INVITE_H

#include "domain/outcome.h"
#include "http/req.h"
#include "store/save.h"

/* Queues invitations for the members that the command added by address, if mail is on. */
void invite_newcomers(struct req *r, const struct outcome *out, struct save *save);

#endif
