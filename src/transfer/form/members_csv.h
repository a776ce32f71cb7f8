/*
 * An account's members as CSV, a row a person and project: Name, Email Address, Username,
 * Initials, Person ID, Project Id, Project Name, Project Role and others.
 */
#ifndef MEMBERS_CSV_H
#define MEMBERS_CSV_H

#include "transfer/common/intake.h"

/*
 * The people of one project, each once, and their memberships in it: the only project in the
 * file, or the one that the intake names. Without any project in the file it is everybody, and
 * no memberships. Returns as stories_csv_read() does.
 */
enum rc members_csv_read(struct intake *in, int file, struct intake_bytes *bytes) MUST_CHECK;

#endif
