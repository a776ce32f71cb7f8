/*
 * Invitations by mail: who is made a member by an address gets one (the statement
 * letter_invite).
 */
#ifndef INVITE_H
#define INVITE_H

#include "domain/outcome.h"
#include "http/req.h"
#include "store/save.h"

/* Queues it for whom the command made a member by an address, where mail is sent. */
void invite_newcomers(struct req *r, const struct outcome *out, struct save *save);

#endif
