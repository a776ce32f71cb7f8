/*
 * Health checks, and all that is answered without credentials: GET /services/v5 says what this is,
 * and for those who run the server, which the web server lets come from this host alone, there are
 * /-/live (the process), /-/ready (the database, too) and /-/metrics. /file_attachments/doctor is
 * the file that planwrightctl doctor puts there for a moment (files.h).
 */
#ifndef HEALTH_H
#define HEALTH_H

#include "http/req.h"

/* Sets r->route when the request is for one of these. */
bool health_find(struct req *r);

/* Whether r->route is one of these that asks the database, which may be away. */
bool health_wants_database(const struct req *r);

/* Whether it asks, too, if our secret is the database's. */
bool health_wants_secret(const struct req *r);

/* Answers it. */
enum rc health_answer(struct req *r, bool has_database, bool has_secret) MUST_CHECK;

#endif
