#include "lib/stop.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void note(int signal)
{
	(void)signal;
	asked = 1;
}

void stop_prepare(void)
{
	struct sigaction action = { .sa_handler = note };
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, NULL);
}

bool stop_asked(void)
{
	return asked;
}
