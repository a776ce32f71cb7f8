/* Last views: when members last looked at a project (last_viewed_at of their memberships). */
#ifndef VIEWED_H
#define VIEWED_H

#include "http/req.h"

/* Notes it when r->is_view says that it is due. Behind the answer: nobody waits for it. */
void viewed_note(struct req *r);

#endif
