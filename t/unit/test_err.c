#include <criterion/criterion.h>

#include <string.h>

#include "service/err.h"

Test(err, every_kind_has_status_code_and_sentence)
{
	for (int rc = RC_OK + 1; rc < RC__MAX; rc++) {
		const struct err_kind *kind = &err_kinds[rc];
		cr_expect(kind->status >= 400 && kind->status < 600, "rc %d", rc);
		cr_expect(kind->code && *kind->code, "rc %d", rc);
		cr_expect(kind->error && strlen(kind->error) > 10, "rc %d", rc);
		/* RC_UNAUTHENTICATED has another's code, for clients that expect another status. */
		for (int other = RC_OK + 1; other < rc && rc != RC_UNAUTHENTICATED; other++)
			cr_expect_str_neq(kind->code, err_kinds[other].code);
	}
}

/* contract 1.4: clients match these literally. */
Test(err, contract)
{
	static const struct {
		enum rc rc;
		int status;
		const char *code, *error;
	} rows[] = {
		{ RC_INVALID_PARAMETER, 400, "invalid_parameter",
			"One or more request parameters was missing or invalid." },
		{ RC_COULD_NOT_PARSE_BODY, 400, "could_not_parse_body",
			"Cannot parse the JSON-encoded request body." },
		{ RC_INVALID_AUTHENTICATION, 403, "invalid_authentication",
			"Invalid authentication credentials were presented." },
		{ RC_UNAUTHORIZED_OPERATION, 403, "unauthorized_operation",
			"Authorization failure." },
		{ RC_UNFOUND_RESOURCE, 404, "unfound_resource",
			"The object you tried to access could not be found.  It may have been "
			"removed by another user, you may be using the ID of another object type, "
			"or you may be trying to access a sub-resource at the wrong point in a "
			"tree." },
		{ RC_ROUTE_NOT_FOUND, 404, "route_not_found",
			"The path you requested has no valid endpoint." },
		{ RC_UNHANDLED_CONDITION, 500, "unhandled_condition",
			"An unexpected condition occurred." },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct err_kind *kind = &err_kinds[rows[i].rc];
		cr_expect_eq(kind->status, rows[i].status);
		cr_expect_str_eq(kind->code, rows[i].code);
		cr_expect_str_eq(kind->error, rows[i].error);
	}
	cr_expect_str_eq(err_kinds[RC_INVALID_AUTHENTICATION].possible_fix,
		"Verify that your token value matches what's shown on your Profile page in Tracker.");
	cr_expect_str_eq(err_kinds[RC_UNAUTHORIZED_OPERATION].general_problem,
		"You aren't authorized to access the requested resource.");
}

Test(err, sqlstates)
{
	static const struct {
		const char *state;
		enum rc rc;
	} rows[] = {
		{ "PW999", RC_UNHANDLED_CONDITION },
		{ "22021", RC_INVALID_PARAMETER },
		{ "22P05", RC_INVALID_PARAMETER },
		{ "22003", RC_INVALID_PARAMETER },
		{ "22P02", RC_INVALID_PARAMETER },
		{ "22001", RC_INVALID_PARAMETER },
		{ "23514", RC_INVALID_PARAMETER },
		{ "23503", RC_INVALID_PARAMETER },
		{ "23505", RC_INVALID_PARAMETER },
		{ "22008", RC_INVALID_PARAMETER },
		{ "22007", RC_INVALID_PARAMETER },
		{ "23502", RC_INVALID_PARAMETER },
		{ "2201B", RC_INVALID_PARAMETER },
		{ "22023", RC_INVALID_PARAMETER },
		{ "22012", RC_UNHANDLED_CONDITION }, /* division by zero: ours */
		{ "57014", RC_UNAVAILABLE },
		{ "40001", RC_UNAVAILABLE },
		{ "40P01", RC_UNAVAILABLE },
		{ "55P03", RC_UNAVAILABLE },
		{ "53300", RC_UNAVAILABLE },
		{ "57P01", RC_UNAVAILABLE },
		{ "08006", RC_UNAVAILABLE },
		{ "25006", RC_UNAVAILABLE },
		{ "42P01", RC_UNHANDLED_CONDITION },
		{ "XX000", RC_UNHANDLED_CONDITION },
		{ "", RC_UNHANDLED_CONDITION },
		{ NULL, RC_UNAVAILABLE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		cr_expect_eq(err_of_sqlstate(rows[i].state), rows[i].rc, "%s",
			rows[i].state ? rows[i].state : "(null)");
}
