/* How a worker parses a request's parameters and body, before it asks the database. */
#ifndef REQUEST_CHECK_H
#define REQUEST_CHECK_H

#include <fcgiapp.h>

/* Aborts if something is out of bounds, or not a part of the request. */
void request_check(FCGX_Request *f);

#endif
