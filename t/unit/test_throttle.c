/* How many wrong passwords are allowed. */
#include <criterion/criterion.h>

#include "domain/throttle.h"

Test(throttle, a_new_network_has_ten)
{
	cr_expect(throttle_lets(&(struct throttle){ .here = 9 }));
	cr_expect_not(throttle_lets(&(struct throttle){ .here = 10 }));
}

Test(throttle, a_known_one_has_more_and_an_end)
{
	cr_expect(throttle_lets(&(struct throttle){ .here = 29, .is_known = true }));
	cr_expect_not(throttle_lets(&(struct throttle){ .here = 30, .is_known = true }));
	cr_expect(
		throttle_lets(&(struct throttle){ .here = 29, .others = 1000, .is_known = true }));
}

Test(throttle, among_many_each_has_fewer_and_never_none)
{
	int64_t before = THROTTLE_NEW;
	for (int64_t others = 0; others < 2000; others++) {
		struct throttle t = { .others = others };
		cr_expect_leq(throttle_tries(&t), before);
		before = throttle_tries(&t);
		cr_expect(throttle_lets(&t), "%lld others keep one out", (long long)others);
		t.is_known = true;
		cr_expect_gt(throttle_tries(&t), before);
	}
	cr_expect_eq(before, 1);
}

Test(throttle, codes_count_wherever_they_were_wrong)
{
	cr_expect(throttle_lets_code(&(struct throttle){ .codes = 29 }));
	cr_expect_not(throttle_lets_code(&(struct throttle){ .codes = 30 }));
	cr_expect(throttle_lets_code(&(struct throttle){ .codes = 30, .is_known = true }));
}

Test(throttle, what_is_still_compared_counts)
{
	cr_expect(throttle_lets(&(struct throttle){ .here = 4, .pending = 5 }));
	cr_expect_not(throttle_lets(&(struct throttle){ .here = 4, .pending = 6 }));
	cr_expect(throttle_waits(&(struct throttle){ .here = 4, .pending = 6 }));
	cr_expect_not(throttle_waits(&(struct throttle){ .here = 4, .pending = 5 }));
	cr_expect_not(throttle_waits(&(struct throttle){ .here = 10, .pending = 6 }));
}

Test(throttle, the_person_is_told_of_the_fifth_network)
{
	cr_expect_not(throttle_tells(&(struct throttle){ .here = 9, .others = 3 }));
	cr_expect(throttle_tells(&(struct throttle){ .others = 4 }));
}
