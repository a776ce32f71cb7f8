/*
 * Endpoints that are more than list, get, create, update and delete: a function
 * each, named by the rows of routes.c.
 */
#ifndef ACT_H
#define ACT_H

#include "lib/err.h"

struct req;

/* act_history.c: reports, of which the plural ones answer lists. */
enum rc act_iteration_report(struct req *r) MUST_CHECK;
enum rc act_iteration_reports(struct req *r) MUST_CHECK;
enum rc act_history(struct req *r) MUST_CHECK;
enum rc act_history_release(struct req *r) MUST_CHECK;
enum rc act_history_list(struct req *r) MUST_CHECK;

/* act_iterations.c: P/iterations and what hangs on them. */
enum rc act_iterations(struct req *r) MUST_CHECK;
enum rc act_iteration(struct req *r) MUST_CHECK;

/* act_aggregator.c: many GETs in one request. */
enum rc act_aggregator(struct req *r) MUST_CHECK;

/* act_people.c: POST /my/people answers a list. */
enum rc act_known_people(struct req *r) MUST_CHECK;

/* act_search.c: GET stories?filter=, GET search?query=. */
enum rc act_search_filter(struct req *r) MUST_CHECK;
enum rc act_search(struct req *r) MUST_CHECK;

/*
 * act_notification.c: GET /my/notifications and …/since/:timestamp, whose answers
 * tell the time of the newest one.
 */
enum rc act_notification_list(struct req *r) MUST_CHECK;
enum rc act_notification_since(struct req *r) MUST_CHECK;

/* act_release.c: stories of a release as CSV. */
enum rc act_release_csv(struct req *r) MUST_CHECK;

#endif
