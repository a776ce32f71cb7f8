/* Who may name whom: the complete table. */
#include <criterion/criterion.h>

#include "domain/naming.h"

static bool may(enum naming_for what, enum naming_by by, bool only_seen, struct named whom)
{
	const struct namer who = { .may_add = true, .only_seen = only_seen };
	return naming_may(&who, what, by, &whom);
}

Test(naming, the_operator_names_anybody)
{
	const struct namer who = { .is_operator = true };
	const struct named stranger = { 0 };
	for (int what = NAMING_ADD; what <= NAMING_CREDIT; what++)
		for (int by = NAMING_BY_ID; by <= NAMING_BY_NAME; by++)
			cr_expect(naming_may(&who, what, by, &stranger));
}

Test(naming, nobody_is_meant_by_an_address_that_they_claim)
{
	const struct named claims = { .seen = true,
		.in_project = true,
		.in_account = true,
		.settled = true,
		.claims = true };
	for (int is_operator = 0; is_operator < 2; is_operator++) {
		const struct namer who = { .is_operator = is_operator, .may_add = true };
		for (int what = NAMING_ADD; what <= NAMING_CREDIT; what++)
			for (int by = NAMING_BY_ID; by <= NAMING_BY_NAME; by++)
				cr_expect_eq(naming_may(&who, what, by, &claims),
					by != NAMING_BY_ADDRESS);
	}
}

Test(naming, who_may_not_add_adds_nobody)
{
	const struct namer who = { 0 };
	const struct named seen = { .seen = true, .in_account = true };
	for (int by = NAMING_BY_ID; by <= NAMING_BY_NAME; by++) {
		cr_expect(!naming_may(&who, NAMING_ADD, by, &seen));
		cr_expect(!naming_may(&who, NAMING_CREDIT, by, &seen));
	}
}

Test(naming, strangers_are_added_by_address_and_by_id_where_a_server_lets)
{
	const struct named stranger = { 0 };
	for (int only_seen = 0; only_seen < 2; only_seen++) {
		cr_expect(may(NAMING_ADD, NAMING_BY_ADDRESS, only_seen, stranger));
		cr_expect_eq(may(NAMING_ADD, NAMING_BY_ID, only_seen, stranger), !only_seen);
		cr_expect(!may(NAMING_ADD, NAMING_BY_NAME, only_seen, stranger));
	}
}

Test(naming, who_is_seen_is_added_by_anything)
{
	const struct named seen = { .seen = true };
	for (int by = NAMING_BY_ID; by <= NAMING_BY_NAME; by++)
		cr_expect(may(NAMING_ADD, by, true, seen));
}

Test(naming, only_members_are_used)
{
	const struct named seen = { .seen = true, .in_account = true, .settled = true },
			   member = { .in_project = true };
	for (int by = NAMING_BY_ID; by <= NAMING_BY_NAME; by++) {
		cr_expect(!may(NAMING_USE, by, false, seen));
		cr_expect(may(NAMING_USE, by, true, member));
	}
}

Test(naming, files_credit_nobody_outside_of_the_account)
{
	const struct named seen = { .seen = true }, mate = { .in_account = true },
			   settled = { .settled = true }, member = { .in_project = true };
	for (int by = NAMING_BY_ID; by <= NAMING_BY_NAME; by++) {
		cr_expect(!may(NAMING_CREDIT, by, false, seen));
		cr_expect(may(NAMING_CREDIT, by, true, settled));
		cr_expect(may(NAMING_CREDIT, by, true, member));
	}
	cr_expect(may(NAMING_CREDIT, NAMING_BY_ADDRESS, true, mate));
	cr_expect(may(NAMING_CREDIT, NAMING_BY_ID, false, mate));
	cr_expect(!may(NAMING_CREDIT, NAMING_BY_ID, true, mate));
	cr_expect(!may(NAMING_CREDIT, NAMING_BY_NAME, false, mate));
}
