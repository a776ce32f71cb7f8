/*
 * Interface between the readers of files and the import: records, one at a time, with values
 * (record.h) named as in the API, and people by what the file knows of them. Readers decide
 * nothing: what becomes of a record is settled when all files have been read (import.h).
 *
 * Rules for the fields of every record (the fields of each kind: intake_kinds):
 * - what the file does not say is left out; what it says to be empty is null;
 * - a person is any of id, name, email, username and initials;
 * - what belongs to a story or an epic names it: "story_id" or "epic_id", or "number" when
 *   the file does not say which of the two; to a comment: "comment_id";
 * - a story or an epic to which the file gives no id has a negative one that no other of the
 *   file has, by which its parts name it: it is new, unless it came by the same file before;
 * - "position" counts things of one kind and parent in the order of the file, from 1;
 * - texts are whole, as the file has them: they are cut to the limits later.
 */
#ifndef INTAKE_H
#define INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/str.h"
#include "model/part_kinds.h"
#include "model/resource.h"
#include "model/value.h"
#include "service/err.h"
#include "transfer/common/record.h"

enum intake_kind {
	INTAKE_PROJECT,     /* id, name and settings as the API has them; of an export of this
				program: "whole": true, and its version, which are kept with
				its activities */
	INTAKE_PERSON,      /* person */
	INTAKE_MEMBERSHIP,  /* person, role, project_id, project_name */
	INTAKE_LABEL,       /* id, name, created_at, updated_at */
	INTAKE_EPIC,        /* id, name, label (a name) or label_id, description, created_at,
				updated_at, url, position, followers (people) */
	INTAKE_STORY,       /* id, name, description, story_type, current_state, estimate,
				story_priority, created_at, accepted_at, deadline, updated_at,
				requested_by (a person), owners (people), labels (names) or
				label_ids, followers, iteration (a span), url, external_id, integration_id, position */
	INTAKE_TASK,        /* id, description, complete, position, created_at, updated_at */
	INTAKE_COMMENT,     /* id, text, person, created_at, updated_at, position,
				commit_identifier, commit_type, external_source,
				external_author, external_link */
	INTAKE_REVIEW_TYPE, /* id, name, hidden */
/* INTAKE_BLOCKER and so on: what their resources have, and position; a review may name its type. */
#define KIND(one, ONE, ...) INTAKE_##ONE,
	STORY_PARTS(KIND)
#undef KIND
		INTAKE_FILE, /* id, filename, content_type, size, uploader, created_at, body (what
				intake_body gave; null: its content is not there; "told": true
				when a remark says so already) */
	INTAKE_GOOGLE, /* id, google_kind, title, google_id, alternate_link, resource_id, person */
	INTAKE_TRANSITION,   /* story_id, state, occurred_at, performed_by, project_version */
	INTAKE_ACTIVITY,     /* what /activity answers, performed_by a person; of a history row:
				number, type, message, performed_by, occurred_at */
	INTAKE_OVERRIDE,     /* number, length, team_strength */
	INTAKE_SAVED_SEARCH, /* id, name, query, person */
	INTAKE_WEBHOOK,      /* id, webhook_url, webhook_version, enabled */
	INTAKE_INTEGRATION,  /* as the API has it */
	INTAKE__MAX
};

/* Their words: "story" … */
extern const char *const intake_kinds[INTAKE__MAX];

/* What a record of the kind becomes. */
const struct resource *intake_resource(enum intake_kind kind);

/*
 * Where something stood: file counts from 0 in the order of the command; line from 1, 0: none;
 * row likewise, of a table as a spreadsheet counts, the heading being row 1.
 */
struct intake_place {
	int file;
	int64_t line, row;
};

/* How bad something is: only what is lost or refused changes the exit status (import.h). */
enum intake_severity { INTAKE_NOTE, INTAKE_CHANGED, INTAKE_LOST, INTAKE_ERROR };

struct intake_remark {
	enum intake_severity severity;
	struct intake_place at;
	int64_t id;         /* of the story or epic; NIL: none */
	const char *column; /* null: none */
	const char *code;   /* one word with underscores, for programs: "day_only" */
	struct str message; /* one line for people, with the whole text of what is lost */
	bool is_whole; /* one of this kind is lost, and not a part of it: the summary counts it */
	enum intake_kind kind;
};

/* Bytes that are read from the start to the end, and again from the start. */
struct intake_bytes {
	/* Up to n of the next bytes; 0 at the end, -1 when they cannot be read. */
	int64_t (*read)(struct intake_bytes *b, void *to, size_t n);
	/* Back to the start; false: it cannot. */
	bool (*rewind)(struct intake_bytes *b);
};

/* Why the content of a file was not kept: a word for programs, and what follows its name. */
struct intake_why {
	const char *code;
	struct str text;
};

struct intake {
	/* A record. RC_OK, or what ends the import (the database is away). */
	enum rc (*put)(struct intake *in, enum intake_kind kind, struct intake_place at,
		const struct record *record);
	void (*remark)(struct intake *in, const struct intake_remark *remark);
	/*
	 * Keeps the content of a file, and gives a word for it that the record of the file
	 * names as its body; absent: it is not kept, and the reader says why (intake_lose_file).
	 * RC_OK, or what ends the import.
	 */
	enum rc (*body)(struct intake *in, struct intake_bytes *bytes, struct arena *a,
		struct str *word, struct intake_why *why);
	/*
	 * Asked by intake_goes_on() now and then in long work that puts nothing; false: it must
	 * end. Null: it may go on.
	 */
	bool (*goes_on)(struct intake *in);
	/* Whether that is a person's name somewhere: a member, or in the people's map. */
	bool (*is_name)(struct intake *in, struct str name);

	/* What the command says: "" or null when it does not. */
	int date_order;       /* 0: not said, 'm': month first, 'd': day first */
	const char *encoding; /* null: UTF-8; or "windows-1252" */
	const char *project;  /* the name of the project that is meant, for members' files */
	int64_t project_id;   /* NIL: none named */
	int32_t today; /* days since 1970; 0: not known, and no date is held to be of the future */
};

bool intake_goes_on(struct intake *in);

/* Makes a remark; the message is printed, and is made one line of well-formed text. */
void intake_say(struct intake *in, enum intake_severity severity, struct intake_place at,
	int64_t id, const char *column, const char *code, const char *format, ...)
	__attribute__((format(printf, 7, 8)));

/* One line for a file whose content is lost, which the summary counts; what is printed names it. */
void intake_lose_file(struct intake *in, struct intake_place at, int64_t id,
	const struct intake_why *why, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

#endif
