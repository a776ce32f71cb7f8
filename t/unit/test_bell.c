#include <criterion/criterion.h>

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "service/bell.h"

static struct bell listener, ringer;
static char url[64];

static void setup(void)
{
	snprintf(url, sizeof url, "http://bell.test/%d", (int)getpid());
	listener = bell_of(url);
	ringer = bell_of(url);
}

static void teardown(void)
{
	bell_close(&ringer);
	bell_close(&listener);
}

TestSuite(bell, .init = setup, .fini = teardown);

Test(bell, is_heard_once)
{
	cr_expect(bell_listen(&listener));
	cr_expect(!bell_hears(&listener));
	bell_ring(&ringer);
	bell_ring(&ringer);
	cr_expect(bell_hears(&listener));
	cr_expect(!bell_hears(&listener));
}

Test(bell, of_others_is_another)
{
	struct bell other = bell_of("http://other.test");
	cr_expect(bell_listen(&listener));
	bell_ring(&other);
	cr_expect(!bell_hears(&listener));
	bell_close(&other);
}

Test(bell, nobody_makes_it_but_who_listens)
{
	bell_ring(&ringer);
	cr_expect_null(ringer.file);
	cr_expect(!bell_hears(&listener));
}

Test(bell, goes_with_the_last_who_listens)
{
	struct bell second = bell_of(url);
	cr_expect(bell_listen(&listener) && bell_listen(&second));
	bell_close(&second);
	bell_ring(&ringer);
	cr_expect(bell_hears(&listener));
	bell_close(&listener);
	cr_expect_lt(shm_unlink(second.name), 0);
	listener = bell_of(url);
	cr_expect(bell_listen(&listener));
	bell_ring(&ringer);
	cr_expect(bell_hears(&listener), "whoever knew the old one finds the new one");
}

Test(bell, is_made_again_when_it_was_taken_away)
{
	cr_expect(bell_listen(&listener));
	bell_ring(&ringer);
	cr_expect(bell_hears(&listener));
	shm_unlink(listener.name);
	cr_expect(bell_hears(&listener), "it may have been rung meanwhile");
	cr_expect(!bell_hears(&listener));
	bell_ring(&ringer);
	cr_expect(bell_hears(&listener));
}
