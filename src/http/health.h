/*
 * Health checks, and everything else answered without credentials: GET /services/v5 identifies
 * the server. For operators, and allowed by the web server only from this host, there are /-/live
 * (the process), /-/ready (also the database) and /-/metrics. /file_attachments/doctor is the
 * file that planwrightctl doctor puts there for a moment, for nobody else (service/probe.h).
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
