/*
 * Requests of the retired versions v3 and v4 (setting old_versions). Each becomes a request of version
 * 5 before anything else happens: its row (old/old_path.h) names the endpoint, whose row answers it.
 * Names and forms are translated on the way in and out, and nothing else is.
 */
#ifndef OLD_H
#define OLD_H

#include "http/req.h"

/* The version that a segment names, if it is one of the setting's: enum old_version; 0: it is not. */
int old_version_of(const char *setting, struct str name);

/*
 * In place of route_find: r->old.path, then the method, segments, route and ids of version 5. The
 * route is a copy for this request, with the row's limits. The same results as route_find.
 */
enum rc old_find(struct req *r) MUST_CHECK;

/*
 * In place of list_check_query and of reading the body: parameters of version 5 and what to show,
 * r->body, and r->old.wish with the names of people that it does not have yet. Notes errors with
 * req_refuse.
 */
void old_take(struct req *r);

/* What is to be sent, r->out and r->status, as the version writes it. */
void old_write(struct req *r);

#endif
