#include "lib/about.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void about_answer(int argc, char **argv, const char *name, const char *usage)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			puts(usage);
		else if (!strcmp(argv[i], "--version"))
			printf("%s %s\n", name, PACKAGE_VERSION);
		else
			continue;
		exit(EXIT_SUCCESS);
	}
}
