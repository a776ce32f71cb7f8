/* planwright.fcgi: one worker, or the parent of several; planwright(8). */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/about.h"
#include "lib/log.h"
#include "programs/parent.h"
#include "programs/stand_in.h"
#include "programs/worker.h"

static const char usage[] =
	"planwright.fcgi\n"
	"    Run one worker on the listening socket that is file descriptor 0.\n"
	"planwright.fcgi --workers [N] [--socket PATH|HOST:PORT]\n"
	"    Run N workers, or the number in the setting `workers`, on the socket that systemd\n"
	"    or spawn-fcgi passes, or on PATH or HOST:PORT.\n"
	"planwright.fcgi --unavailable\n"
	"    Answer every request with 503, on the socket that is file descriptor 0.\n"
	"planwright.fcgi --check\n"
	"    Exit with 0 if workers could run with the settings and the secret.\n"
	"planwright.fcgi --help\n"
	"planwright.fcgi --version";

int main(int argc, char **argv)
{
	struct parent_options options = { NULL, NULL };
	bool is_parent = false;
	about_answer(argc, argv, "planwright.fcgi", usage);
	for (int i = 1; i < argc; i++) {
		bool has_value = i + 1 < argc && argv[i + 1][0] != '-';
		if (!strcmp(argv[i], "--unavailable") && argc == 2) {
			stand_in_run();
			return EXIT_SUCCESS;
		} else if (!strcmp(argv[i], "--check") && argc == 2) {
			return worker_check();
		} else if (!strcmp(argv[i], "--workers")) {
			is_parent = true;
			options.workers = has_value ? argv[++i] : NULL;
		} else if (!strcmp(argv[i], "--socket") && has_value) {
			options.socket = argv[++i];
		} else {
			log_die_config("unknown argument %s: see planwright.fcgi --help", argv[i]);
		}
	}
	if (is_parent)
		return parent_run(&options, argv[0]);
	if (options.socket)
		log_die_config("--socket requires --workers: see planwright.fcgi --help");
	worker_run();
	return EXIT_SUCCESS;
}
