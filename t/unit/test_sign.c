#include <criterion/criterion.h>

#include "lib/sign.h"

static struct arena arena;

static const char *sign(const char *secret, const char *body)
{
	return sign_webhook(&arena, str_of(secret), STR("msg_p5jXN8AQM9LWM0D4loKWxJek"), 1614265330,
		str_of(body))
		.p;
}

/* The vector of the Standard Webhooks libraries. */
Test(sign, standard_webhooks_vector)
{
	cr_expect_str_eq(sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "{\"test\": 2432232314}"),
		"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

/* Computed with Python's hmac. */
Test(sign, a_secret_of_another_form_is_the_key_itself)
{
	cr_expect_str_eq(
		sign("plain words", "{}"), "v1,nTxw7CpWQX74UT2HDHvq9dy5WW22Mzr0UQdCCuaKoU0=");
	cr_expect_str_eq(
		sign("whsec_no base64!", "{}"), "v1,AnnyrWO4YG+d8qM3hrimURO5cd2hs7r5X1vQgi0qaJM=");
	cr_expect_str_eq(sign("whsec_", "{}"), "v1,pvKLEfaU32c0d/VW3Xlvwl0nl2t+J5jz5KlCjRmN94Y=");
}

Test(sign, base64_needs_no_padding)
{
	cr_expect_str_eq(sign("whsec_YWJjZA", "{}"), sign("abcd", "{}"));
	cr_expect_str_eq(sign("whsec_YWJjZA==", "{}"), sign("abcd", "{}"));
	cr_expect_str_eq(sign("whsec_YWJjZGU", "{}"), sign("abcde", "{}"));
	cr_expect_str_eq(sign("whsec_YWJjZGVm", "{}"), sign("abcdef", "{}"));
}

Test(sign, an_empty_body)
{
	cr_expect_str_eq(
		sign("plain words", ""), "v1,nUs9RQomCogMwgqEcV7I1b67COQzGH9kyVP6jawbpIk=");
}
