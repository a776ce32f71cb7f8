/*
 * Response envelope: {"data": …} around an answer, when ?envelope=true asks for it (contract
 * 1.5).
 */
#ifndef ENVELOPE_H
#define ENVELOPE_H

#include "http/req.h"

/* Takes the wish from r->params: errors are wrapped, too, even that of another parameter. */
void envelope_take(struct req *r);

/* Wraps the contents of r->out from that byte on. */
void envelope_wrap(struct req *r, size_t from);

/* Whether the answer carries a project version, and whether it carries pagination. */
bool envelope_has_version(const struct req *r);
bool envelope_has_pages(const struct req *r);

#endif
