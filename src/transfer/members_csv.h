/*
 * An account's members as CSV, a row a person and project: Name, Email Address, Username,
 * Initials, Person ID, Project Id, Project Name, Project Role and others.
 */
#ifndef MEMBERS_CSV_H
#define MEMBERS_CSV_H

#include "transfer/intake.h"

/*
 * Every person of the file once, and the memberships of one project: the only one in the file,
 * or the one that the intake names. Returns as stories_csv_read() does.
 */
enum rc members_csv_read(struct intake *in, int file, struct intake_bytes *bytes) MUST_CHECK;

#endif
