#include "transfer/stories_csv.h"

enum rc stories_csv_read(struct intake *in, int file, struct intake_bytes *bytes)
{
	(void)bytes;
	intake_say(in, INTAKE_ERROR, (struct intake_place){ .file = file }, NIL, NULL, "unread",
		"stories as CSV cannot be read yet");
	return RC_OK;
}
