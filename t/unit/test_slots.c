/* Workers are processes: each is a child that does what it is told by a letter. */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/slots.h"

enum { WORKERS = 5 };

static struct worker {
	pid_t pid;
	int to, from;
} workers[WORKERS];
static char name[64];

/*
 * "c" and a number claims for that number, "o" as the only one of theirs and of two, "t" asks whether that one was told, "r"
 * releases, "e" ends; answers y or n.
 */
static void work(int in, int out)
{
	struct slots s;
	char told[2];

	slots_open(&s, name);
	while (read(in, told, 2) == 2) {
		bool yes = true;
		if (told[0] == 'c')
			yes = slots_claim(&s, (unsigned char)told[1]);
		else if (told[0] == 'o')
			yes = slots_claim_only(&s, (unsigned char)told[1], 2);
		else if (told[0] == 't')
			yes = slots_was_told(&s, (unsigned char)told[1]);
		else if (told[0] == 'r')
			slots_release(&s);
		else
			slots_close(&s);
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
}

static void begin_all(int n)
{
	for (int i = 0; i < n; i++) {
		begin(i);
		release(i); /* answered: it has its row */
	}
}

static void tidy(void)
{
	for (int i = 0; i < WORKERS; i++)
		if (workers[i].pid)
			end(i);
	shm_unlink(name);
}

TestSuite(slots, .init = prepare, .fini = tidy);

Test(slots, half_of_the_workers_for_each)
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

Test(slots, one_for_each_and_two_in_all)
{
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

Test(slots, who_was_refused_is_told_sooner)
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

Test(slots, at_least_one)
{
	begin_all(1);
	cr_expect(claim(0, 'a'));
	begin(1);
	cr_expect_not(claim(1, 'a'));
	begin(2);
	cr_expect_not(claim(2, 'a'), "the half of three");
	cr_expect(claim(2, 'b'));
}

Test(slots, who_was_killed_does_not_count)
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

Test(slots, who_stopped_inside_stops_nobody)
{
	struct flock door = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 256, .l_len = 1 };

	begin_all(2);
	int fd = shm_open(name, O_RDWR, 0600);
	cr_assert(fd >= 0 && fcntl(fd, F_SETLK, &door) == 0);
	cr_expect(claim(0, 'a'));
	cr_expect_not(claim(1, 'a'));
	close(fd);
}

Test(slots, without_a_file_nobody_is_refused)
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

Test(slots, the_last_one_takes_the_file_along)
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
