/* Workers are processes: each is a child that executes commands of one letter. */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "service/ledger.h"

enum { WORKERS = 5 };

static struct worker {
	pid_t pid;
	int to, from;
} workers[WORKERS];
static char name[64];
static enum ledger_part part;

static uint64_t number(char c)
{
	return (unsigned char)c;
}

/*
 * Each letter is followed by the number of a person. "b" begins a request of theirs; "c" also claims
 * it as slow, as "s" does alone; "m" moves it to them; "t" asks whether they were told, "f" whether
 * the credential "k" is theirs; "l" makes it theirs; "o" claims one of two places outside the
 * workers, "n" asks whether it is next, "g" notes its turn; "r" ends or releases it, "e" leaves.
 * Answers y or n.
 */
static bool act(struct ledger *l, char what, uint64_t who)
{
	switch (what) {
	case 'b': return ledger_begin(l, who);
	case 'c': return ledger_begin(l, who) && ledger_claim_slow(l);
	case 's': return ledger_claim_slow(l);
	case 'm': ledger_move(l, who); return true;
	case 't': ledger_begin(l, who); return ledger_was_told(l);
	case 'f': return ledger_find(l, 'k') == who;
	case 'l': ledger_learn(l, 'k', who); return true;
	case 'o': return ledger_claim(l, who, 1, 2);
	case 'n': return ledger_is_next(l);
	case 'g': ledger_note_turn(l); return true;
	case 'r': ledger_end(l); return true;
	default: ledger_close(l); return true;
	}
}

static void work(int in, int out)
{
	struct ledger l;
	char told[2];

	ledger_open(&l, name, part);
	while (read(in, told, 2) == 2) {
		bool yes = act(&l, told[0], number(told[1]));
		if (write(out, yes ? "y" : "n", 1) != 1)
			break;
	}
	_exit(0);
}

static void begin(int i)
{
	int to[2], from[2];

	cr_assert(pipe(to) == 0 && pipe(from) == 0);
	workers[i].pid = fork();
	if (workers[i].pid == 0) {
		close(to[1]);
		work(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	workers[i].to = to[1];
	workers[i].from = from[0];
}

static bool tell(int i, char what, char whom)
{
	char answer = 0, told[] = { what, whom };

	cr_assert(write(workers[i].to, told, 2) == 2 && read(workers[i].from, &answer, 1) == 1);
	return answer == 'y';
}

static bool claim(int i, char whom)
{
	return tell(i, 'c', whom);
}

static void release(int i)
{
	tell(i, 'r', 0);
}

static void end(int i)
{
	kill(workers[i].pid, SIGKILL);
	waitpid(workers[i].pid, NULL, 0);
	close(workers[i].to);
	close(workers[i].from);
	workers[i].pid = 0;
}

static void prepare(void)
{
	snprintf(name, sizeof name, "/planwright-test-%d", (int)getpid());
	part = LEDGER_WORKER;
}

static void begin_all(int n)
{
	for (int i = 0; i < n; i++) {
		begin(i);
		release(i); /* once it has answered, it has its row */
	}
}

static void tidy(void)
{
	for (int i = 0; i < WORKERS; i++)
		if (workers[i].pid)
			end(i);
	shm_unlink(name);
}

TestSuite(ledger, .init = prepare, .fini = tidy);

Test(ledger, half_of_the_workers_for_each)
{
	begin_all(4);
	cr_expect(claim(0, 'a'));
	cr_expect(claim(1, 'a'));
	cr_expect_not(claim(2, 'a'));
	cr_expect(claim(2, 'b'));
	cr_expect(claim(2, 'b'), "it has its slot");
	cr_expect(claim(3, 'b'));
	release(0);
	cr_expect(claim(0, 'a'));
	release(0);
	cr_expect_not(claim(0, 'b'));
}

Test(ledger, one_for_each_and_two_in_all)
{
	part = LEDGER_EXPORT;
	begin_all(4);
	cr_expect(tell(0, 'o', 'a'));
	cr_expect_not(tell(1, 'o', 'a'), "one for each");
	cr_expect(tell(1, 'o', 'b'));
	cr_expect_not(tell(2, 'o', 'c'), "two in all");
	release(0);
	cr_expect(tell(2, 'o', 'a'));
	end(1);
	cr_expect(tell(3, 'o', 'c'), "who is gone holds none");
}

Test(ledger, places_are_served_in_order)
{
	part = LEDGER_PICTURE;
	begin_all(3);
	cr_expect(tell(1, 'o', 'a'));
	cr_expect(tell(0, 'o', 'b'));
	cr_expect(tell(1, 'n', 0));
	cr_expect_not(tell(0, 'n', 0));
	tell(1, 'g', 0);
	cr_expect(tell(0, 'n', 0), "the first has its turn");
	tell(0, 'r', 0);
	cr_expect(tell(2, 'o', 'b'));
	end(1);
	cr_expect(tell(2, 'n', 0));
}

Test(ledger, parts_are_counted_apart)
{
	begin_all(2);
	part = LEDGER_EXPORT;
	begin(2);
	begin(3);
	release(2);
	release(3);
	cr_expect(tell(2, 'o', 'a'));
	cr_expect(claim(0, 'a'));
	cr_expect_not(claim(1, 'a'), "the half of two workers");
	cr_expect_not(tell(3, 'o', 'a'));
}

Test(ledger, a_request_goes_to_whom_it_belongs)
{
	begin_all(4);
	cr_expect(claim(0, 'a'));
	cr_expect(tell(1, 'b', 't'));
	tell(1, 'm', 'a');
	cr_expect(tell(1, 's', 0));
	cr_expect_not(claim(2, 'a'), "two of four");
	cr_expect(claim(3, 't'), "nothing is counted for it any more");
}

Test(ledger, whose_a_credential_is)
{
	begin_all(2);
	cr_expect(tell(0, 'f', 0));
	tell(0, 'l', 'a');
	cr_expect(tell(1, 'f', 'a'));
	tell(1, 'l', 0);
	cr_expect(tell(0, 'f', 0), "it is nobody's any more");
}

/* Sends quick requests, one after the other, until one is refused, with another person's in between. */
static int crowd(char whom, char other, int most)
{
	int n = 0;

	while (n < most) {
		tell(2, 'b', other);
		tell(2, 'r', 0);
		if (!tell(2, 'b', whom))
			break;
		usleep(20 * 1000);
		tell(2, 'r', 0);
		n++;
	}
	return n;
}

/* Half of three workers is one: the second and the third are paid for from the credit. */
Test(ledger, quick_ones_beyond_the_half_have_a_credit)
{
	begin_all(3);
	tell(0, 'b', 'a');
	tell(1, 'b', 'a');
	int n = crowd('a', 'b', 1000);
	cr_expect(n >= 15 && n < 1000, "%d", n);
	cr_expect(tell(2, 'b', 'b'), "others have theirs");
	tell(2, 'r', 0);
	tell(1, 'r', 0);
	tell(0, 'r', 0);
	cr_expect(tell(2, 'b', 'a'), "it is their only one");
}

Test(ledger, who_is_alone_has_all)
{
	begin_all(3);
	tell(0, 'b', 'a');
	tell(1, 'b', 'a');
	cr_expect_eq(crowd('a', 'a', 120), 120);
}

/* Until a password is checked, its request counts for the address: several slow ones must not
   count as other people. */
Test(ledger, an_address_that_becomes_a_person_is_no_other)
{
	begin_all(3);
	tell(0, 'b', 'd');
	tell(1, 'b', 'd');
	for (int i = 0; i < 10; i++) {
		cr_assert(tell(2, 'b', 'd'), "%d", i);
		tell(2, 'm', 'a');
		tell(2, 'r', 0);
		usleep(450 * 1000);
	}
}

Test(ledger, who_was_refused_is_told_sooner)
{
	begin_all(4);
	claim(0, 'a');
	claim(1, 'a');
	cr_expect_not(tell(2, 't', 'a'), "nothing was refused yet");
	cr_expect_not(claim(2, 'a'));
	cr_expect(tell(2, 't', 'a'));
	cr_expect(tell(3, 't', 'a'));
	cr_expect_not(tell(3, 't', 'b'));
	release(0);
	cr_expect_not(tell(3, 't', 'a'), "there is room");
}

Test(ledger, at_least_one)
{
	begin_all(1);
	cr_expect(claim(0, 'a'));
	begin(1);
	cr_expect_not(claim(1, 'a'));
	begin(2);
	cr_expect_not(claim(2, 'a'), "the half of three");
	cr_expect(claim(2, 'b'));
}

Test(ledger, who_was_killed_does_not_count)
{
	begin_all(5);
	cr_expect(claim(0, 'a'));
	cr_expect(claim(1, 'a'));
	cr_expect_not(claim(2, 'a'), "the half of five");
	end(0);
	cr_expect(claim(2, 'a'));
	cr_expect_not(claim(3, 'a'));
	end(1);
	cr_expect_not(claim(3, 'a'), "the half of three");
	begin(0);
	release(0);
	cr_expect(claim(3, 'a'), "the half of four");
	cr_expect_not(claim(0, 'a'));
}

Test(ledger, who_stopped_inside_stops_nobody)
{
	struct flock door = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 256, .l_len = 1 };

	begin_all(2);
	int fd = shm_open(name, O_RDWR, 0600);
	cr_assert(fd >= 0 && fcntl(fd, F_SETLK, &door) == 0);
	cr_expect(claim(0, 'a'));
	cr_expect_not(claim(1, 'a'));
	close(fd);
}

Test(ledger, without_a_file_nobody_is_refused)
{
	begin(0);
	int fd = shm_open(name, O_RDWR | O_CREAT, 0600);
	cr_assert(fd >= 0 && fchmod(fd, 0666) == 0);
	begin(1);
	begin(2);
	cr_expect(claim(1, 'a'));
	cr_expect(claim(2, 'a'));
	release(1);
	cr_expect(claim(1, 'a'));
	close(fd);
}

static bool is_there(void)
{
	int fd = shm_open(name, O_RDWR, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

Test(ledger, the_last_one_takes_the_file_along)
{
	begin_all(3);
	end(2);
	tell(0, 'e', 0);
	cr_expect(is_there());
	tell(1, 'e', 0);
	cr_expect_not(is_there());
	begin(3);
	release(3);
	cr_expect(is_there());
	cr_expect(claim(3, 'a'));
}
