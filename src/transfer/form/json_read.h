/*
 * JSON of the API's replies: one, an array of them or one a line; in an envelope, as dumps wrap
 * them (contract 1.3), or in the messages of programs that copy tables between services.
 */
#ifndef JSON_READ_H
#define JSON_READ_H

#include "transfer/form/v5.h"

/*
 * Puts all records of the bytes; `hint`: what they are if they do not say it. *refused becomes
 * true when an INTAKE_ERROR says that it is no JSON. Returns what put() does.
 */
enum rc json_read(
	struct v5 *v, struct intake_bytes *bytes, enum v5_kind hint, bool *refused) MUST_CHECK;

#endif
