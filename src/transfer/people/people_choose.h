/*
 * Matches a person of the files with one of this server, from what is known of them and what the
 * map says (people.h), without a database.
 */
#ifndef PEOPLE_CHOOSE_H
#define PEOPLE_CHOOSE_H

#include "transfer/people/people_map.h"

struct people_options {
	int64_t account;   /* whose people are known by their names */
	int64_t project;   /* NIL: a new one */
	int64_t performer; /* who imports, and may name only whom the interface lets them; NIL: the
			      operator, who may name anybody */
	struct str means, told_as; /* as in import_options.h */
	bool only_seen;            /* the setting add_people_by_id */
	bool mail;                 /* mail is sent */
	const char *map;           /* a path: read if it is there, written; null: no map */
	bool dry_run;
};

/* One person of the files, whatever keys he has. Ids are NIL when there is none. */
struct someone {
	/* What the files say. */
	struct str head, name, email, username, initials;
	int64_t id;
	bool is_loose;     /* known by a name or user name alone */
	int64_t namesakes; /* people of that name whom the files know by more than it */

	/* People of this server. */
	bool is_known;   /* an import of the account had him … */
	int64_t known;   /* … and he became that person; NIL: left blank */
	bool is_settled; /* that import was of this project */
	int64_t by_email;
	int64_t named, by_name; /* people of the account with the name, and one of them */
	bool by_name_is_placeholder;

	/* What the map says, and whom it means; row.action is what is done in the end. */
	bool has_row;
	size_t at_row;
	struct people_row row;
	int64_t row_by_id, row_by_email, row_by_username;
	bool email_elsewhere, row_email_elsewhere; /* somebody has it whom nobody here may name */
	bool row_by_id_is_placeholder;             /* one of this name */

	/* What is decided. */
	int64_t person;          /* NIL: blank, or somebody new whose id is not taken yet */
	int64_t wished;          /* the id that somebody new should have; NIL: any */
	struct someone *same_as; /* somebody new, too, and the same; null: none */
	bool is_new;
	int64_t entry; /* in the audit log, of somebody new who is no placeholder; NIL: none */
	const char *problem;   /* the import is refused: what to do in the map; null: none */
	struct str candidates; /* of who is ambiguous: who it may be */
};

/* Decides all; the map's rows then say what was done. */
void people_choose(struct someone *people, size_t n);

#endif
