#include "transfer/people/people.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "domain/person.h"
#include "lib/log.h"
#include "domain/arrival.h"
#include "store/raise_ids.h"
#include "transfer/common/name_set.h"
#include "transfer/people/people_candidates.h"
#include "transfer/people/people_choose.h"
#include "transfer/people/people_naming.h"
#include "transfer/people/people_new.h"

struct people {
	struct db *db;
	struct report *report;
	struct people_options options;
	struct arena arena;
	struct name_set names;
	struct people_map map;
	struct someone *all;
	size_t n;
};

static enum rc run(struct people *p, enum stmt stmt)
{
	struct rows *rows;
	return db_run(p->db, stmt, 0, NULL, &rows);
}

/* Before files are read -------------------------------------------------------------------- */

enum rc people_open(struct people **people, struct db *db, const struct people_options *options,
	struct report *report)
{
	struct people *p = *people = calloc(1, sizeof(*p));
	struct rows *rows;
	if (!p)
		log_die("out of memory");
	*p = (struct people){ .db = db, .report = report, .options = *options };
	name_set_init(&p->names, &p->arena);
	if (options->map)
		people_map_read(&p->map, &p->arena, options->map, report);
	for (size_t i = 0; i < p->map.n; i++)
		if (p->map.rows[i].name.p)
			name_set_add(&p->names, p->map.rows[i].name);
	const struct db_param account = db_int_or_null(&p->arena, options->account, NIL);
	enum rc rc = db_run(db, STMT_PEOPLE_NAMES, 1, &account, &rows);
	for (int i = 0; !rc && i < db_count(rows); i++)
		name_set_add(&p->names, db_get_text(rows, i, 0));
	return rc;
}

bool people_is_name(const struct people *p, struct str name)
{
	return name_set_has(&p->names, name);
}

void people_add_name(struct people *p, struct str name)
{
	name_set_add(&p->names, name);
}

void people_close(struct people *p)
{
	if (!p)
		return;
	name_set_free(&p->names);
	arena_free(&p->arena);
	free(p);
}

/* What is known --------------------------------------------------------------------------- */

static enum rc fill_rows(struct people *p)
{
	size_t n = p->map.n;
	struct str *texts = arena_array(&p->arena, 4 * n + 1, sizeof(*texts));
	int64_t *ids = arena_array(&p->arena, n + 1, sizeof(*ids));
	struct rows *rows;
	for (size_t i = 0; i < n; i++) {
		const struct people_row *row = &p->map.rows[i];
		texts[i] = row->name;
		texts[n + i] = row->email;
		texts[2 * n + i] = row->username;
		texts[3 * n + i] = str_of(people_actions[row->action]);
		ids[i] = row->person_id;
	}
	struct arena *a = &p->arena;
	const struct db_param params[] = { db_texts(a, texts, n), db_texts(a, texts + n, n),
		db_texts(a, texts + 2 * n, n), db_ids_or_null(a, ids, n, NIL),
		db_texts(a, texts + 3 * n, n) };
	return db_run(p->db, STMT_PEOPLE_ROWS_FILL, 5, params, &rows);
}

static int64_t id_at(const struct rows *rows, int row, const char *column)
{
	int c = db_column(rows, column);
	return db_is_null(rows, row, c) ? NIL : db_get_int(rows, row, c);
}

static bool flag_at(const struct rows *rows, int row, const char *column)
{
	return db_get_bool(rows, row, db_column(rows, column));
}

static struct str text_at(struct people *p, const struct rows *rows, int row, const char *column)
{
	int c = db_column(rows, column);
	return db_is_null(rows, row, c) ? (struct str){ 0 }
					: arena_str(&p->arena, db_get_text(rows, row, c));
}

static void take_someone(struct people *p, const struct rows *rows, int i)
{
	int64_t row = id_at(rows, i, "row");
	p->all[i] = (struct someone){
		.head = text_at(p, rows, i, "head"),
		.name = text_at(p, rows, i, "name"),
		.email = text_at(p, rows, i, "email"),
		.username = text_at(p, rows, i, "username"),
		.initials = text_at(p, rows, i, "initials"),
		.id = id_at(rows, i, "id"),
		.is_loose = flag_at(rows, i, "loose"),
		.namesakes = id_at(rows, i, "namesakes"),
		.is_known = flag_at(rows, i, "is_known"),
		.known = id_at(rows, i, "known_id"),
		.is_settled = flag_at(rows, i, "settled"),
		.by_email = id_at(rows, i, "mail_id"),
		.named = id_at(rows, i, "named"),
		.by_name = id_at(rows, i, "named_id"),
		.by_name_is_placeholder = flag_at(rows, i, "named_is_placeholder"),
		.has_row = row > 0,
		.row = { .person_id = NIL },
		.row_by_id = id_at(rows, i, "row_id_id"),
		.row_by_email = id_at(rows, i, "row_mail_id"),
		.row_by_username = id_at(rows, i, "row_user_id"),
		.row_by_id_is_placeholder = flag_at(rows, i, "row_id_is_placeholder"),
		.person = NIL,
		.wished = NIL,
	};
	struct someone *s = &p->all[i];
	if (row > 0) {
		s->at_row = (size_t)row - 1;
		s->row = p->map.rows[s->at_row];
	} else
		s->row = (struct people_row){ .name = s->name,
			.email = s->email,
			.username = s->username,
			.person_id = NIL,
			.action = PEOPLE_SUGGEST };
}

static enum rc look(struct people *p)
{
	const struct db_param nobody = db_text(&p->arena, STR(ARRIVAL_NOBODY));
	const struct db_param params[] = { db_int_or_null(&p->arena, p->options.account, NIL),
		db_int_or_null(&p->arena, p->options.project, NIL),
		db_int_or_null(&p->arena, p->options.performer, NIL) };
	struct rows *rows;
	enum rc rc = run(p, STMT_PEOPLE_ROWS);
	if (!rc)
		rc = fill_rows(p);
	/* The planner knows nothing of a statement's own results: row by row would take hours. */
	if (!rc)
		rc = db_script(p->db,
			"set local enable_nestloop = off; analyze staged_person, person_row");
	if (!rc)
		rc = run(p, STMT_PEOPLE_KEYS);
	if (!rc)
		rc = db_run(p->db, STMT_PEOPLE_MERGED, 1, &nobody, &rows);
	if (!rc)
		rc = run(p, STMT_PEOPLE_MAPPED);
	if (!rc)
		rc = db_script(p->db, "analyze person_key, person_merged, person_mapped");
	if (!rc)
		rc = db_run(p->db, STMT_PEOPLE_CANDIDATES, 3, params, &rows);
	if (rc)
		return rc;
	if (db_count(rows) > PEOPLE_MAX) {
		report_say(p->report, INTAKE_ERROR, NIL, NULL, "too_many_people",
			"the files name %d people, and an import can have at most %d: check "
			"whether a column of people contains something else",
			db_count(rows), PEOPLE_MAX);
		return RC_OK;
	}
	p->n = (size_t)db_count(rows);
	p->all = arena_array(&p->arena, p->n + 1, sizeof(*p->all));
	for (size_t i = 0; i < p->n; i++)
		take_someone(p, rows, (int)i);
	return people_naming_look(p->db, &p->arena, &p->options, p->all, p->n);
}

/* New people ------------------------------------------------------------------------------- */

/* Gives wished ids to those who can have them, and moves the sequence of the others past them. */
static enum rc grant_wishes(struct people *p)
{
	int64_t *ids = arena_array(&p->arena, p->n + 1, sizeof(*ids)), highest = 0;
	struct rows *rows;
	const struct db_param tops[] = { db_int(&p->arena,
						 arrival_ids_top(p->options.performer == NIL)),
		db_int(&p->arena, ARRIVAL_IDS_MAX) };
	enum rc rc = db_run(p->db, STMT_PEOPLE_LAST_ID, 2, tops, &rows);
	if (rc)
		return rc;
	int64_t last = id_at(rows, 0, "last"), most = id_at(rows, 0, "most");
	for (size_t i = 0; i < p->n; i++) {
		int64_t id = people_new_is_made(&p->all[i]) ? p->all[i].wished : NIL;
		ids[i] = id > 0 && id <= most ? id : NIL;
	}
	const struct db_param wished = db_ids_or_null(&p->arena, ids, p->n, NIL);
	rc = db_run(p->db, STMT_PEOPLE_FREE_IDS, 1, &wished, &rows);
	for (int i = 0; !rc && i < db_count(rows); i++) {
		struct someone *s = &p->all[db_get_int(rows, i, 0) - 1];
		s->person = s->wished;
		highest = s->person > highest ? s->person : highest;
	}
	if (rc || highest <= last)
		return rc;
	return raise_ids(p->db, &p->arena, STR("person_id_seq"), highest);
}

static enum rc take_ids(struct people *p)
{
	struct rows *rows;
	int64_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		n += people_new_is_made(&p->all[i]) && p->all[i].person == NIL;
	if (n == 0)
		return RC_OK;
	const struct db_param params[] = { db_text(&p->arena, STR("person_id_seq")),
		db_text(&p->arena, arena_printf(&p->arena, "%lld", (long long)n)) };
	enum rc rc = db_run(p->db, STMT_NEW_IDS, 2, params, &rows);
	for (size_t i = 0; !rc && i < p->n; i++) {
		struct someone *s = &p->all[i];
		if (!people_new_is_made(s) || s->person != NIL)
			continue;
		s->person = db_get_int(rows, (int)--n, 0);
		if (s->wished != NIL)
			report_say(p->report, INTAKE_CHANGED, NIL, NULL, "person_id",
				"%.*s has the id %lld: %lld cannot be kept here", (int)s->name.n,
				s->name.p ? s->name.p : "", (long long)s->person,
				(long long)s->wished);
	}
	return rc;
}

/* What is told ----------------------------------------------------------------------------- */

static struct someone *origin(struct someone *s)
{
	while (s->same_as)
		s = s->same_as;
	return s;
}

static void remark(struct people *p, const struct someone *s)
{
	static const struct {
		const char *code, *said;
	} words[PEOPLE_ACTION__MAX] = {
		[PEOPLE_PLACEHOLDER] = { "placeholder",
			"is a placeholder: nobody can sign in as them, and their work can be "
			"claimed later" },
		[PEOPLE_SKIP] = { "left_blank", "is left blank, as the map of people says" },
	};
	const char *map = p->options.map;
	struct str name = people_new_name(s);
	if (s->problem)
		report_say(p->report, INTAKE_ERROR, NIL, NULL,
			s->row.action == PEOPLE_AMBIGUOUS ? "ambiguous_person" : "people_map",
			"%s%s%.*s%s%.*s: %s%s%s%.*s", map ? map : "", map ? ": " : "", (int)name.n,
			name.p, s->email.p ? ", " : "", (int)s->email.n,
			s->email.p ? s->email.p : "", s->problem,
			map ? "" : ", in a map that --people names",
			s->candidates.n ? "; it may be " : "", (int)s->candidates.n,
			s->candidates.n ? s->candidates.p : "");
	else if (words[s->row.action].code && (s->is_new || s->row.action == PEOPLE_SKIP))
		report_say(p->report, INTAKE_NOTE, NIL, NULL, words[s->row.action].code, "%.*s %s",
			(int)name.n, name.p, words[s->row.action].said);
}

/* Writes the map as it was, with what was decided, and with those who were not in it. */
static void write_map(struct people *p)
{
	size_t n = 0, old = p->map.n;
	struct people_row *rows = arena_array(&p->arena, old + p->n + 1, sizeof(*rows));
	bool *is_taken = arena_array(&p->arena, old + 1, sizeof(*is_taken));
	for (size_t i = 0; i < p->n; i++) {
		struct someone *s = &p->all[i], *o = origin(s);
		struct people_row *row = &rows[n++];
		*row = s->row;
		row->candidates = s->candidates;
		if (o->person != NIL && !(o->is_new && p->options.dry_run))
			row->person_id = o->person;
		else if (s->is_new && row->person_id == NIL && !s->has_row)
			row->person_id = s->wished;
		if (s->has_row)
			is_taken[s->at_row] = true;
	}
	for (size_t i = 0; i < old; i++)
		if (!is_taken[i])
			rows[n++] = p->map.rows[i];
	const struct people_map map = { rows, n };
	if (!people_map_write(&map, p->options.map))
		report_say(p->report, INTAKE_ERROR, NIL, NULL, "people_map",
			"the map of people %s cannot be written: %s", p->options.map,
			strerror(errno));
}

static enum rc fill_map(struct people *p)
{
	struct arena *a = &p->arena;
	struct str *heads = arena_array(a, p->n + 1, sizeof(*heads));
	struct str *actions = arena_array(a, p->n + 1, sizeof(*actions));
	int64_t *ids = arena_array(a, p->n + 1, sizeof(*ids));
	int64_t *made = arena_array(a, p->n + 1, sizeof(*made));
	struct rows *rows;
	size_t n_made = 0;
	for (size_t i = 0; i < p->n; i++) {
		const struct someone *o = origin(&p->all[i]);
		heads[i] = p->all[i].head;
		actions[i] = str_of(people_actions[p->all[i].row.action]);
		ids[i] = o->person;
		if (people_new_is_made(o))
			made[n_made++] = o->person;
		report_count(p->report, INTAKE_PERSON,
			ids[i] == NIL                            ? REPORT_SKIPPED
				: people_new_is_made(&p->all[i]) ? REPORT_CREATED
								 : REPORT_SAME,
			1);
	}
	const struct db_param params[] = { db_texts(a, heads, p->n),
		db_ids_or_null(a, ids, p->n, NIL), db_texts(a, actions, p->n),
		db_ids(a, made, n_made) };
	return db_run(p->db, STMT_PEOPLE_MAP_FILL, 4, params, &rows);
}

/* --------------------------------------------------------------------------------------------- */

enum rc people_settle(struct people *p)
{
	bool is_clear = true;
	enum rc rc = run(p, STMT_PEOPLE_MAP);
	if (!rc)
		rc = look(p);
	if (rc)
		return rc;
	people_choose(p->all, p->n);
	if ((rc = people_candidates_look(p->db, &p->arena, &p->options, p->all, p->n)))
		return rc;
	for (size_t i = 0; i < p->n; i++)
		is_clear = is_clear && !p->all[i].problem;
	for (size_t i = 0; i < p->n; i++)
		remark(p, &p->all[i]);
	if (is_clear)
		rc = grant_wishes(p);
	if (is_clear && !rc)
		rc = take_ids(p);
	if (is_clear && !rc)
		rc = people_new_make(p->db, &p->arena, &p->options, p->all, p->n);
	if (!rc && p->options.map && p->n)
		write_map(p);
	if (!rc)
		rc = fill_map(p);
	if (!rc)
		rc = run(p, STMT_PEOPLE_MAP_KEY);
	return rc ? rc : db_script(p->db, "analyze person_map; set local enable_nestloop = on");
}

/* Runs a statement that makes members of the project, and records them in the audit log. */
static enum rc make_members(struct people *p, int64_t project, enum stmt stmt, int n,
	const struct db_param *params, int *joined)
{
	struct arena *a = &p->arena;
	struct rows *rows;
	enum rc rc = db_run(p->db, stmt, n, params, &rows);
	if (rc)
		return rc;
	int made = db_count(rows);
	int64_t *ids = arena_array(a, (size_t)made + 1, sizeof *ids);
	for (int i = 0; i < made; i++)
		ids[i] = db_get_int(rows, i, 0);
	*joined += made;
	const struct db_param told[] = { db_int(a, project),
		db_int_or_null(&p->arena, p->options.performer, NIL), db_ids(a, ids, (size_t)made),
		db_text(a, p->options.means), db_text(a, p->options.told_as) };
	return made ? db_run(p->db, STMT_PEOPLE_AUDIT, 5, told, &rows) : RC_OK;
}

enum rc people_join(struct people *p, int64_t project, bool is_new, bool is_whole)
{
	bool is_operator = p->options.performer == NIL;
	const struct db_param params[] = { db_int(&p->arena, project), db_time(&p->arena, 0) };
	const struct db_param joiners[] = { params[0], db_bool(&p->arena, is_whole) };
	const struct db_param join[] = { params[0], db_bool(&p->arena, is_operator) };
	struct rows *rows;
	enum rc rc = RC_OK;
	int joined = 0;
	if (is_new)
		rc = make_members(p, project, STMT_PEOPLE_ADD_OWNERS, 1, params, &joined);
	if (!rc)
		rc = db_run(p->db, STMT_PEOPLE_NEW_MEMBERS, 2, joiners, &rows);
	if (!rc)
		rc = make_members(p, project, STMT_PEOPLE_ADD_MEMBERS, 2, join, &joined);
	if (!rc && !is_operator)
		rc = people_naming_join(p->db, &p->arena, &p->options, project, &joined);
	if (rc)
		return rc;
	report_count(p->report, INTAKE_MEMBERSHIP, REPORT_CREATED, joined);
	if ((rc = db_run(p->db, STMT_SAVE_PEOPLE_FOLLOW, 2, params, &rows)))
		return rc;
	return db_run(p->db, STMT_PEOPLE_REMEMBER, 1, params, &rows);
}

enum rc people_name(struct people *p)
{
	return people_new_call(p->db, &p->arena, &p->options, p->all, p->n);
}
