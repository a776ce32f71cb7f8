/*
 * Any bytes, imported as a file: whatever it is recognised as (an archive, an SQLite file, a table, JSON), it is read
 * to its end or refused (src/transfer/form/file_reader.h).
 */
#define _GNU_SOURCE
#include "intake_sink.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "transfer/form/file_reader.h"
#include "unit/transfer_print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads an attached file to its end. */
static enum rc body(struct intake *in, struct intake_bytes *bytes, struct arena *a,
	struct str *word, struct intake_why *why)
{
	char some[4096];
	int64_t got;

	(void)in;
	while ((got = bytes->read(bytes, some, sizeof some)) > 0)
		;
	if (got < 0)
		*why = (struct intake_why){ "broken_file", STR("is broken, its content is lost") };
	else
		*word = arena_printf(a, "read");
	return RC_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct transfer_print print;
	char path[40];
	int fd = memfd_create("import", 0);

	must(fd >= 0 && write(fd, data, size) == (ssize_t)size, "a file can be made");
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	transfer_print_init(&print);
	print.in.body = body;
	must(reader_read(&print.in, 0, path) == RC_OK, "reading goes to the end");
	must(str_is_text(buf_str(&print.out)), "what is read is text");
	buf_free(&print.out);
	close(fd);
	return 0;
}
