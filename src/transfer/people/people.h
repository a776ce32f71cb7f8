/*
 * People of an import: files know them by a name, an address, an id of elsewhere, or several
 * of these; here each becomes a person of this server, or nobody. What is suggested, and what
 * somebody corrected, stands in a map: CSV with the heading
 *	name,email,username,person_id,action
 * where the action is one of match (that person is here), create (somebody new, with that
 * address), placeholder (somebody new without address and login), skip (the field is left
 * blank) and ambiguous (nobody knows; refused until it is changed).
 *
 * The order: people_open, then files are read while people_is_name answers; people_settle
 * when all is staged; people_join when the project is there; people_name when the rest is done;
 * people_close.
 */
#ifndef PEOPLE_H
#define PEOPLE_H

#include "db/db.h"
#include "transfer/people/people_choose.h"
#include "transfer/common/report.h"

/*
 * Tables of the transaction. The caller makes and fills the first, a row for each person that
 * any record names, what several records say of one put together, and role only from records
 * of memberships in this project; people_settle makes the second.
 *
 * The key is "id:" and the id where the file has one, else "email:" and the address in lower
 * case, else "name:" and the name, trimmed, else "username:" and that. A key that is not in
 * person_map, or that has no person_id there, is blank.
 */
#define PEOPLE_STAGED                                                                              \
	"create temp table staged_person (key text primary key, id bigint, name text, email text," \
	" username text, initials text, role text) on commit drop"
struct people;

/*
 * Reads the map, if there is one, and the names of the account's people. Statements are those
 * of the open transaction. A map that cannot be read is remarked as INTAKE_ERROR, and *people
 * is usable all the same.
 */
enum rc people_open(struct people **people, struct db *db, const struct people_options *options,
	struct report *report) MUST_CHECK;

/* Whether somebody has that name, in the account, in the map or among those that were added. */
bool people_is_name(const struct people *people, struct str name);
/* A name that a file of members has, so that comments of other files find it. */
void people_add_name(struct people *people, struct str name);

/*
 * Makes person_map of staged_person, with new people where they are asked for, and writes the
 * map. Those whom nobody can tell apart are remarked as INTAKE_ERROR: the import is refused.
 */
enum rc people_settle(struct people *people) MUST_CHECK;

/*
 * Makes those who were settled members of the project, with the role of the files or "member";
 * who is a member stays as he is. Whom the files know but do not name as a member joins only if
 * he is new, or the files name no members at all, and not by a whole export of this program: he
 * had left. In a new project the account's owners are
 * owners. Whom a person and not the operator makes a member is told (people_naming.h). What was
 * settled is kept for the next import.
 */
enum rc people_join(struct people *people, int64_t project, bool is_new, bool is_whole) MUST_CHECK;

/*
 * Gives new people their user names and addresses: the last thing before the end, since others who need
 * one of these wait from here on.
 */
enum rc people_name(struct people *people) MUST_CHECK;

/* Null is allowed. */
void people_close(struct people *people);

#endif
