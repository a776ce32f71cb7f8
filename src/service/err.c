#include "service/err.h"

#include <stddef.h>
#include <string.h>

const struct err_kind err_kinds[RC__MAX] = {
	[RC_OK] = { .status = 200, .code = "ok", .error = "" },
	[RC_INVALID_PARAMETER] = {
		.status = 400,
		.code = "invalid_parameter",
		.error = "One or more request parameters was missing or invalid.",
	},
	[RC_COULD_NOT_PARSE_BODY] = {
		.status = 400,
		.code = "could_not_parse_body",
		.error = "Cannot parse the JSON-encoded request body.",
	},
	[RC_INVALID_AUTHENTICATION] = {
		.status = 403,
		.code = "invalid_authentication",
		.error = "Invalid authentication credentials were presented.",
		.possible_fix = "Verify that your token value matches what's shown on your Profile page "
				"in Tracker.",
	},
	[RC_UNAUTHENTICATED] = {
		.status = 401,
		.code = "invalid_authentication",
		.error = "A token is required, and no valid one was sent.",
	},
	[RC_UNAUTHORIZED_OPERATION] = {
		.status = 403,
		.code = "unauthorized_operation",
		.error = "Authorization failure.",
		.general_problem = "You aren't authorized to access the requested resource.",
		.possible_fix = "Check that the path has the ids that you mean. What you may do in a "
				"project follows from your role, shown on its membership page; an owner "
				"of the project can change it.",
	},
	[RC_INSUFFICIENT_SCOPE] = {
		.status = 403,
		.code = "insufficient_scope",
		.error = "This token does not allow this request.",
	},
	[RC_SECOND_FACTOR_REQUIRED] = {
		.status = 403,
		.code = "second_factor_required",
		.error = "The password alone is not enough: a code from the second factor is "
				"required.",
		.possible_fix = "Send 'code' as well: the six digits that your authenticator shows, or a "
				"recovery code.",
	},
	[RC_ENROLMENT_REQUIRED] = {
		.status = 403,
		.code = "second_factor_enrolment_required",
		.error = "A second factor is required here, and you have none yet.",
		.possible_fix = "Set one up first, on your profile page.",
	},
	[RC_UNFOUND_RESOURCE] = {
		.status = 404,
		.code = "unfound_resource",
		.error = "The object you tried to access could not be found.  It may have been removed by "
			 "another user, you may be using the ID of another object type, or you may be "
			 "trying to access a sub-resource at the wrong point in a tree.",
	},
	[RC_ROUTE_NOT_FOUND] = {
		.status = 404,
		.code = "route_not_found",
		.error = "The path you requested has no valid endpoint.",
	},
	[RC_METHOD_NOT_ALLOWED] = {
		.status = 405,
		.code = "method_not_allowed",
		.error = "The path you requested does not support this method.",
		.possible_fix = "Use one of the methods named in the Allow header of this answer.",
	},
	[RC_GONE] = {
		.status = 410,
		.code = "gone",
		.error = "This version of the API is no longer available.",
		.possible_fix = "Use version 5, below /services/v5.",
	},
	[RC_BODY_TOO_LARGE] = {
		.status = 413,
		.code = "request_too_large",
		.error = "The request body is larger than this server accepts.",
	},
	[RC_URI_TOO_LONG] = {
		.status = 414,
		.code = "request_uri_too_long",
		.error = "The path and query of the request are longer than this server accepts.",
	},
	[RC_TOO_MANY_REQUESTS] = {
		.status = 429,
		.code = "too_many_requests",
		.error = "There are too many requests of this kind from one person or address.",
		.possible_fix = "Send the request again after the number of seconds in the Retry-After "
				"header.",
	},
	[RC_UNAVAILABLE] = {
		.status = 503,
		.code = "service_unavailable",
		.error = "The service cannot answer this request at the moment.",
		.possible_fix = "Send the request again after the number of seconds in the Retry-After "
				"header.",
	},
	[RC_UNHANDLED_CONDITION] = {
		.status = 500,
		.code = "unhandled_condition",
		.error = "An unexpected condition occurred.",
	},
};

struct state_row {
	const char *prefix; /* a whole SQLSTATE, or the beginning of several */
	enum rc rc;
};

/* clang-format off */
static const struct state_row state_rows[] = {
	{ "22001", RC_INVALID_PARAMETER }, /* text too long */
	{ "22003", RC_INVALID_PARAMETER }, /* number out of range */
	{ "22007", RC_INVALID_PARAMETER }, /* not a date or time */
	{ "22008", RC_INVALID_PARAMETER }, /* date or time out of range */
	{ "22021", RC_INVALID_PARAMETER }, /* bytes that are not text */
	{ "22023", RC_INVALID_PARAMETER }, /* value that a function refuses */
	{ "22P02", RC_INVALID_PARAMETER }, /* text that a type refuses */
	{ "22P05", RC_INVALID_PARAMETER }, /* character that cannot be stored */
	{ "2201B", RC_INVALID_PARAMETER }, /* bad regular expression */
	{ "23502", RC_INVALID_PARAMETER }, /* not null */
	{ "23503", RC_INVALID_PARAMETER }, /* foreign key */
	{ "23505", RC_INVALID_PARAMETER }, /* unique */
	{ "23514", RC_INVALID_PARAMETER }, /* check */
	{ "08", RC_UNAVAILABLE },          /* connection */
	{ "0A000", RC_UNAVAILABLE },       /* statement from before a migration */
	{ "25006", RC_UNAVAILABLE },       /* read only: a standby, or a maintenance window */
	{ "26000", RC_UNAVAILABLE },       /* statement that a pooler has lost */
	{ "40001", RC_UNAVAILABLE },       /* could not serialise */
	{ "40P01", RC_UNAVAILABLE },       /* deadlock */
	{ "53", RC_UNAVAILABLE },          /* no memory, disk or connection left */
	{ "55P03", RC_UNAVAILABLE },       /* lock not available in time */
	{ "57014", RC_UNAVAILABLE },       /* statement time-out */
	{ "57P", RC_UNAVAILABLE },         /* the server is shutting down or starting */
};
/* clang-format on */

enum rc err_of_sqlstate(const char *sqlstate)
{
	if (!sqlstate)
		return RC_UNAVAILABLE;
	for (size_t i = 0; i < sizeof(state_rows) / sizeof(state_rows[0]); i++) {
		if (strncmp(sqlstate, state_rows[i].prefix, strlen(state_rows[i].prefix)) == 0)
			return state_rows[i].rc;
	}
	return RC_UNHANDLED_CONDITION;
}
