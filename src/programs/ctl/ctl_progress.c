#include "programs/ctl/ctl_progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/str.h"

enum { BAR_EVERY_MS = 100, LINE_MS = 1000, LINE_EVERY_MS = 5000, BAR = 30 };

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void ctl_progress_begin(struct ctl_progress *p)
{
	*p = (struct ctl_progress){ .is_terminal = isatty(STDERR_FILENO), .shown_ms = now_ms() };
}

/* The rest of the terminal's line is cleared. */
static void show_bar(const char *what, int64_t done, int64_t all)
{
	char bar[BAR + 1];
	int full = all > 0 ? (int)(done < all ? done * BAR / all : BAR) : 0;
	memset(bar, '.', BAR);
	memset(bar, '#', (size_t)full);
	bar[BAR] = '\0';
	if (all > 0)
		fprintf(stderr, "\r\033[K[%s] %3d %%  %s", bar, full * 100 / BAR, what);
	else if (done > 0)
		fprintf(stderr, "\r\033[K%s: %lld", what, (long long)done);
	else
		fprintf(stderr, "\r\033[K%s", what);
	fflush(stderr);
}

static void show_line(const char *what, int64_t done, int64_t all)
{
	if (all > 0)
		fprintf(stderr, "%s: %lld of %lld\n", what, (long long)done, (long long)all);
	else if (done > 0)
		fprintf(stderr, "%s: %lld\n", what, (long long)done);
	else
		fprintf(stderr, "%s\n", what);
}

bool ctl_progress_show(void *arg, const char *what, int64_t done, int64_t all)
{
	struct ctl_progress *p = arg;
	int64_t now = now_ms();
	bool is_new = strncmp(what, p->what, sizeof(p->what) - 1) != 0;
	int wait_ms = is_new ? LINE_MS : LINE_EVERY_MS;
	if (p->is_terminal)
		wait_ms = is_new ? 0 : BAR_EVERY_MS;
	/* The first line tells how much there is already. */
	bool is_due = !p->is_shown && (p->is_terminal || done > 0);
	if (!is_due && now - p->shown_ms < wait_ms)
		return true;
	str_print(p->what, sizeof(p->what), "%s", what);
	p->shown_ms = now;
	p->is_shown = true;
	if (p->is_terminal)
		show_bar(what, done, all);
	else
		show_line(what, done, all);
	return true;
}

void ctl_progress_end(struct ctl_progress *p)
{
	if (p->is_terminal && p->is_shown)
		fputs("\r\033[K", stderr);
	p->is_shown = false;
}
