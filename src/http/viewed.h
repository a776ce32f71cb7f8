/* Last views: when members last viewed a project (last_viewed_at of their memberships). */
#ifndef VIEWED_H
#define VIEWED_H

#include "http/req.h"

/* Records it if r->is_view says that it is due. Runs after the answer, so nobody waits for it. */
void viewed_note(struct req *r);

#endif
