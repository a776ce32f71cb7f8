#include "transfer/members_csv.h"

enum rc members_csv_read(struct intake *in, int file, struct intake_bytes *bytes)
{
	(void)bytes;
	intake_say(in, INTAKE_ERROR, (struct intake_place){ .file = file }, NIL, NULL, "unread",
		"members as CSV cannot be read yet");
	return RC_OK;
}
