#include "programs/settings.h"

#include <errno.h>
#include <sched.h>
#include <sys/stat.h>

#include "lib/str.h"
#include "service/conf.h"

/* FNV-1a of what changes when the file does. A missing file counts as empty. */
static uint64_t mix(uint64_t stamp, const char *path)
{
	struct stat s = { 0 };
	(void)!stat(path, &s);
	const uint64_t facts[] = { s.st_dev, s.st_ino, (uint64_t)s.st_size,
		(uint64_t)s.st_ctim.tv_sec, (uint64_t)s.st_ctim.tv_nsec };
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		stamp = (stamp ^ facts[i]) * 1099511628211u;
	return stamp;
}

/* The number of workers; 0 means two for each processor that we may use. */
static int count_of(int64_t told)
{
	cpu_set_t cpus;
	if (told > 0)
		return (int)told;
	int n = sched_getaffinity(0, sizeof cpus, &cpus) ? 1 : CPU_COUNT(&cpus);
	return 2 * n < SETTINGS_WORKERS_MAX ? 2 * n : SETTINGS_WORKERS_MAX;
}

bool settings_read(struct settings *s, const char *workers)
{
	struct conf conf;
	*s = (struct settings){ .stamp = mix(14695981039346656037u, conf_path()) };
	if (!conf_load(&conf, NULL, s->problem, sizeof s->problem)) {
		s->may_pass = errno != 0;
		return false;
	}
	int64_t n = conf.workers;
	for (int i = 0; conf.secret_files[i]; i++)
		s->stamp = mix(s->stamp, conf.secret_files[i]);
	if (conf.secret_file)
		s->stamp = mix(s->stamp, conf.secret_file);
	conf_free(&conf);
	if (workers && (!str_to_int(str_of(workers), &n) || n < 0 || n > SETTINGS_WORKERS_MAX)) {
		str_print(s->problem, sizeof s->problem, "--workers must be a number from 0 to %d",
			SETTINGS_WORKERS_MAX);
		return false;
	}
	s->workers = count_of(n);
	return true;
}
