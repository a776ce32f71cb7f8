/*
 * For builds without libFuzzer: runs each file named as an argument, and each file in
 * a folder named there, through a fuzz target.
 */
#ifndef LIBFUZZER /* libFuzzer has a main() of its own: t/proof/fuzz */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *data = NULL;
	size_t size = 0;

	if (!f || fseek(f, 0, SEEK_END) != 0) {
		perror(path);
		exit(1);
	}
	size = (size_t)ftell(f);
	rewind(f);
	/* Exactly as large as the input, so that a sanitizer detects reads beyond its end. */
	data = malloc(size ? size : 1);
	if (!data || fread(data, 1, size, f) != size) {
		perror(path);
		exit(1);
	}
	fclose(f);
	/* Printed before it runs: after a crash, the last line says which one it was. */
	printf("%s\n", path);
	fflush(stdout);
	LLVMFuzzerTestOneInput((const uint8_t *)data, size);
	free(data);
	return 1;
}

static int run_folder(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	int count = 0;

	if (!folder) {
		perror(path);
		exit(1);
	}
	while ((entry = readdir(folder))) {
		char name[4096];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		count += run_file(name);
	}
	closedir(folder);
	return count;
}

int main(int argc, char **argv)
{
	int count = 0;

	for (int i = 1; i < argc; i++) {
		struct stat st;

		if (stat(argv[i], &st) != 0) {
			perror(argv[i]);
			return 1;
		}
		count += S_ISDIR(st.st_mode) ? run_folder(argv[i]) : run_file(argv[i]);
	}
	printf("%d inputs\n", count);
	return count > 0 ? 0 : 1;
}
#endif
