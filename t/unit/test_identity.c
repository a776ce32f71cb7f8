/* As whom a provider's account signs in, and where a browser may go afterwards. */
#include <criterion/criterion.h>

#include "domain/identity.h"

enum { ADA = 1, EVE = 2 };

static void decides(const struct identity_scene *s, enum identity_act act, int64_t person)
{
	struct identity_verdict v = identity_decide(s);
	cr_expect_eq(v.act, act, "%d instead of %d", (int)v.act, (int)act);
	cr_expect_eq(v.person, person);
}

Test(identity, whose_it_is)
{
	struct identity_scene s = { .is_allowed = true, .owner = ADA };
	decides(&s, IDENTITY_SIGN_IN, ADA);
	/* Then the address does not matter. */
	s.has_address = s.trusts_address = true;
	s.addressee = EVE;
	decides(&s, IDENTITY_SIGN_IN, ADA);
	s.owner_disabled = true;
	decides(&s, IDENTITY_DISABLED, 0);
	s.owner_disabled = s.is_allowed = false;
	decides(&s, IDENTITY_NOT_ALLOWED, 0);
}

Test(identity, linking)
{
	struct identity_scene s = { .is_allowed = true, .links = true, .linker = EVE };
	decides(&s, IDENTITY_LINK, EVE);
	s.owner = EVE;
	decides(&s, IDENTITY_SIGN_IN, EVE);
	s.session_ended = true;
	decides(&s, IDENTITY_ENDED, 0);
	s.session_ended = false;
	s.owner = ADA;
	decides(&s, IDENTITY_OF_ANOTHER, 0);
	s.is_allowed = false;
	decides(&s, IDENTITY_NOT_ALLOWED, 0);
}

Test(identity, addresses)
{
	struct identity_scene s = {
		.is_allowed = true, .has_address = true, .addressee = ADA, .same_address = true
	};
	decides(&s, IDENTITY_UNKNOWN, 0);
	s.trusts_address = true;
	decides(&s, IDENTITY_LINK, ADA);
	s.same_address = false;
	decides(&s, IDENTITY_UNKNOWN, 0);
	s.same_address = true;
	s.addressee_claims = true;
	decides(&s, IDENTITY_UNKNOWN, 0);
	cr_expect_eq(identity_decide(&s).claimer, ADA);
	s.takes_new = s.addressee_invited = true;
	decides(&s, IDENTITY_TAKEN, 0);
	cr_expect_eq(identity_decide(&s).claimer, ADA);
	s.addressee_closed = true;
	decides(&s, IDENTITY_TAKEN, 0);
	s.takes_new = s.addressee_invited = s.addressee_claims = s.addressee_closed = false;
	s.addressee_closed = true;
	decides(&s, IDENTITY_DISABLED, 0);
	s.has_address = s.addressee_closed = false;
	decides(&s, IDENTITY_UNKNOWN, 0);
	s.has_address = true;
	s.addressee = 0;
	decides(&s, IDENTITY_UNKNOWN, 0);
}

Test(identity, somebody_new)
{
	struct identity_scene s = { .is_allowed = true, .takes_new = true, .has_address = true };
	decides(&s, IDENTITY_NEW, 0);
	s.addressee = ADA;
	decides(&s, IDENTITY_TAKEN, 0);
	s.addressee_invited = true;
	decides(&s, IDENTITY_TAKEN, 0);
	s.same_address = true;
	decides(&s, IDENTITY_LINK, ADA);
	s.takes_new = false;
	decides(&s, IDENTITY_UNKNOWN, 0);
	s.takes_new = true;
	s.has_address = false;
	decides(&s, IDENTITY_NO_ADDRESS, 0);
}

Test(identity, targets)
{
	static const char *const good[] = { "/", "/n/projects/7?x=1#y", "/a//b", "/%2f/x" };
	static const char *const bad[] = { "", "x", "//x", "/\\x", "/a\\b", "/a b", "/a\nb",
		"/\x7f", "/\xc3\xa4", "https://x/" };
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		cr_expect(identity_is_target(str_of(good[i])), "%s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		cr_expect_not(identity_is_target(str_of(bad[i])), "%s", bad[i]);
}
