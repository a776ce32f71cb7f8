/*
 * Prints what the readers get from a file or a folder, in the notation of README.md, and on
 * stderr the peak memory.
 *	read [-q] [-p PROJECT] PATH     -q: no records and remarks, only their numbers
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "transfer/form/file_reader.h"
#include "unit/transfer_print.h"

/* Describes a file's content by its length and a simple checksum. */
static enum rc body(struct intake *in, struct intake_bytes *bytes, struct arena *a,
	struct str *word, struct intake_why *why)
{
	char some[64 * 1024];
	int64_t got, all = 0;
	unsigned long sum = 0;

	(void)in;
	while ((got = bytes->read(bytes, some, sizeof(some))) > 0)
		for (int64_t i = 0; i < got; i++, all++)
			sum = (sum * 31 + (unsigned char)some[i]) % 1000003;
	if (got < 0)
		*why = (struct intake_why){ "broken_file", STR("is broken, its content is lost") };
	else
		*word = arena_printf(a, "%lld bytes, %lu", (long long)all, sum);
	return RC_OK;
}

int main(int n, char **args)
{
	struct transfer_print print;
	struct rusage used;
	int first = 1;

	transfer_print_init(&print);
	print.in.body = body;
	while (n > first + 1 && args[first][0] == '-') {
		if (strcmp(args[first], "-q") == 0)
			print.quiet = true;
		else
			print.in.project = args[++first];
		first++;
	}
	if (n != first + 1) {
		fprintf(stderr, "usage: %s [-q] [-p PROJECT] PATH\n", args[0]);
		return 2;
	}
	enum rc rc = reader_read(&print.in, 0, args[first]);
	if (print.out.n)
		fwrite(print.out.p, 1, print.out.n, stdout);
	buf_free(&print.out);
	getrusage(RUSAGE_SELF, &used);
#ifdef __SANITIZE_ADDRESS__
	used.ru_maxrss = 0; /* sanitizers use memory of their own */
#endif
	fprintf(stderr, "%ld KiB, %lld records, %lld errors\n", used.ru_maxrss,
		(long long)print.records, (long long)print.errors);
	return rc == RC_OK ? 0 : 1;
}
