#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "service/metrics.h"

static char name[60];

static void choose_name(void)
{
	snprintf(name, sizeof name, "/planwright-test-metrics-%d", (int)getpid());
}

TestSuite(metrics, .init = choose_name);

Test(metrics, nobody_counts)
{
	struct metrics_sight sight;
	cr_assert_not(metrics_look(name, &sight));
	cr_assert_eq(sight.workers, 0);
}

Test(metrics, each_request_is_in_one_class_and_one_time)
{
	struct metrics m;
	struct metrics_sight sight;
	metrics_join(&m, name);
	metrics_end(&m, METRICS_READ, 200, 1000);
	metrics_end(&m, METRICS_READ, 204, 1001);
	metrics_end(&m, METRICS_READ, 304, 2500);
	metrics_end(&m, METRICS_WRITE, 503, 10000001);
	metrics_end(&m, METRICS_WRITE, 400, -5);
	metrics_end(&m, METRICS_WRITE, 0, 5);
	metrics_end(&m, METRICS_WRITE, 777, 5);
	metrics_count(&m, METRICS_SIGN_IN_REFUSED);
	cr_assert(metrics_look(name, &sight));
	const struct metrics_counts *c = &sight.counts;
	cr_assert_eq(c->requests[METRICS_READ][1], 2);
	cr_assert_eq(c->requests[METRICS_READ][2], 1);
	cr_assert_eq(c->requests[METRICS_WRITE][3], 1);
	cr_assert_eq(c->requests[METRICS_WRITE][4], 1);
	cr_assert_eq(c->times[METRICS_READ][0], 1);
	cr_assert_eq(c->times[METRICS_READ][1], 2);
	cr_assert_eq(c->times[METRICS_WRITE][0], 1);
	cr_assert_eq(c->times[METRICS_WRITE][METRICS_BOUNDS], 1);
	cr_assert_eq(c->us[METRICS_READ], 4501);
	cr_assert_eq(c->us[METRICS_WRITE], 10000001);
	cr_assert_eq(c->events[METRICS_SIGN_IN_REFUSED], 1);
	metrics_leave(&m);
	cr_assert_not(metrics_look(name, &sight));
}

Test(metrics, workers_come_and_go)
{
	struct metrics m;
	struct metrics_sight sight;
	int ready[2], end[2];
	char c;
	metrics_join(&m, name);
	cr_assert(pipe(ready) == 0 && pipe(end) == 0);
	pid_t child = fork();
	if (child == 0) {
		struct metrics other;
		metrics_join(&other, name);
		metrics_begin(&other);
		metrics_end(&other, METRICS_WRITE, 200, 7);
		metrics_begin(&other);
		_exit(write(ready[1], "x", 1) != 1 || (close(end[1]), read(end[0], &c, 1)) != 0);
	}
	cr_assert_eq(read(ready[0], &c, 1), 1);
	cr_assert(metrics_look(name, &sight));
	cr_assert_eq(sight.workers, 2);
	cr_assert_eq(sight.busy, 1);
	cr_assert_geq(sight.busiest_ms, 0);
	close(end[1]);
	waitpid(child, NULL, 0); /* it did not leave properly */
	cr_assert(metrics_look(name, &sight));
	cr_assert_eq(sight.workers, 1);
	cr_assert_eq(sight.busy, 0);
	cr_assert_eq(sight.counts.requests[METRICS_WRITE][1], 1, "what it counted stays");
	metrics_leave(&m);
}

Test(metrics, a_file_of_another_kind_is_not_used)
{
	struct metrics m;
	struct metrics_sight sight;
	int fd = shm_open(name, O_RDWR | O_CREAT, 0600);
	cr_assert(fd >= 0 && write(fd, "short", 5) == 5);
	metrics_join(&m, name);
	cr_assert_null(m.file);
	metrics_begin(&m);
	metrics_end(&m, METRICS_READ, 200, 5);
	metrics_count(&m, METRICS_SIGN_IN_REFUSED);
	metrics_leave(&m);
	cr_assert_not(metrics_look(name, &sight));
	shm_unlink(name);
	close(fd);
}

/* One percent of the fastest request, which takes about 150 µs, is 1500 ns. */
Test(metrics, a_request_costs_next_to_nothing)
{
	enum { TIMES = 200000 };
	struct timespec a, b;
	struct metrics m;
	metrics_join(&m, name);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	for (int i = 0; i < TIMES; i++) {
		metrics_begin(&m);
		metrics_end(&m, METRICS_READ, 200, i);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	double ns = ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / TIMES;
	cr_log_info("%.0f ns a request", ns);
	cr_assert_lt(ns, 1500);
	metrics_leave(&m);
}
