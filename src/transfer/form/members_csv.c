#include "transfer/form/members_csv.h"

#include "transfer/read/cell.h"
#include "transfer/read/csv_head.h"
#include "model/words.h"
#include "transfer/common/id_set.h"

enum {
	NAME,
	EMAIL,
	USERNAME,
	INITIALS,
	PERSON,
	PROJECT,
	PROJECT_NAME,
	ROLE,
	IDLE = -1,
};

static const struct csv_column columns[] = {
	{ "Name", NAME, false },
	{ "Email Address", EMAIL, false },
	{ "Email", EMAIL, false },
	{ "Username", USERNAME, false },
	{ "User Name", USERNAME, false },
	{ "Initials", INITIALS, false },
	{ "Person ID", PERSON, false },
	{ "Project ID", PROJECT, false },
	{ "Project Name", PROJECT_NAME, false },
	{ "Project Role", ROLE, false },
	{ "Account Role", IDLE, false },
	{ "Last Login Date", IDLE, false },
	{ "Collaborator", IDLE, false },
	{ "Collaborator?", IDLE, false },
	{ "Collaborator Creation Date", IDLE, false },
	{ "2FA Enabled", IDLE, false },
	{ "2FA Enabled?", IDLE, false },
	{ "Last Accessed Project Date", IDLE, false },
	{ "Suspension Date", IDLE, false },
};

struct members {
	struct intake *in;
	struct csv_read csv;
	struct csv_head head;
	struct id_set people; /* already put, by id */
	struct record record;
	/* The projects of the file: the first one, and whether there are others … */
	struct buf first;
	bool any, several;
	bool is_named;  /* … and whether it has the one that the intake names */
	int64_t others; /* rows of other projects */
};

static struct str text_of(const struct members *m, int role)
{
	return str_trim(cell_text(csv_head_cell(&m->csv, m->head.first[role])));
}

/* The project of the row, by its name or, without one, its id. */
static struct str project_of(const struct members *m)
{
	struct str name = text_of(m, PROJECT_NAME);
	return name.n ? name : text_of(m, PROJECT);
}

static bool is_named(const struct members *m)
{
	struct str name = str_trim(str_of(m->in->project));
	return name.n && str_equal_nocase(project_of(m), name);
}

/* Whether the row is of the wanted project, the named one or the only one; a file may have none. */
static bool is_wanted(const struct members *m)
{
	return !m->any || (project_of(m).n && (m->is_named ? is_named(m) : !m->several));
}

/* Records -------------------------------------------------------------------------- */

static struct record_person person_of(const struct members *m)
{
	return (struct record_person){ .id = cell_id(text_of(m, PERSON)),
		.texts = { [RECORD_NAME] = text_of(m, NAME),
			[RECORD_EMAIL] = text_of(m, EMAIL),
			[RECORD_USERNAME] = text_of(m, USERNAME),
			[RECORD_INITIALS] = text_of(m, INITIALS) } };
}

static enum rc put_person(struct members *m)
{
	const struct record_person person = person_of(m);
	if (person.id != NIL && !id_set_add(&m->people, person.id))
		return RC_OK;
	record_empty(&m->record);
	record_person(&m->record, "person", &person);
	return m->in->put(m->in, INTAKE_PERSON, m->csv.at, &m->record);
}

static void put_role(struct members *m)
{
	struct str cell = text_of(m, ROLE);
	int role = cell_word(words_roles, cell);
	if (role == WORD_NONE && cell.n) {
		struct buf text = { 0 };
		cell_quote(&text, cell);
		buf_put_char(&text, '\0');
		intake_say(m->in, INTAKE_LOST, m->csv.at, NIL, "Project Role", "unknown_word",
			"an unknown role, which counts as member: %s", text.p);
		buf_free(&text);
		role = ROLE_MEMBER;
	}
	if (role != WORD_NONE)
		record_text(&m->record, "role", str_of(words_roles[role]));
}

static enum rc put_membership(struct members *m)
{
	const struct record_person person = person_of(m);
	int64_t project = cell_id(text_of(m, PROJECT));
	struct str name = text_of(m, PROJECT_NAME);
	record_empty(&m->record);
	record_person(&m->record, "person", &person);
	put_role(m);
	if (project != NIL)
		record_int(&m->record, "project_id", project);
	if (name.n)
		record_text(&m->record, "project_name", name);
	return m->in->put(m->in, INTAKE_MEMBERSHIP, m->csv.at, &m->record);
}

static enum rc take_row(struct members *m)
{
	if (csv_head_is_blank(&m->csv) || !csv_head_check(&m->head, &m->csv, m->in))
		return RC_OK;
	if (!text_of(m, NAME).n && !text_of(m, EMAIL).n && cell_id(text_of(m, PERSON)) == NIL) {
		csv_head_say_lost(
			&m->head, &m->csv, m->in, NIL, NULL, "no_person", "the row names nobody");
		return RC_OK;
	}
	if (!is_wanted(m)) {
		m->others++;
		return RC_OK;
	}
	enum rc rc = put_person(m);
	if (!rc && m->any)
		rc = put_membership(m);
	return rc;
}

/* File ----------------------------------------------------------------------------- */

static bool survey(struct members *m)
{
	struct intake_place at = m->csv.at;
	if (!csv_read_row(&m->csv)) {
		if (!m->csv.refused)
			intake_say(m->in, INTAKE_ERROR, at, NIL, NULL, "no_header",
				"the file is empty");
		return false;
	}
	csv_head_take(&m->head, &m->csv, INTAKE_PERSON, columns, sizeof columns / sizeof *columns);
	if (m->head.first[NAME] < 0 || m->head.first[EMAIL] < 0) {
		intake_say(m->in, INTAKE_ERROR, m->csv.at, NIL, NULL, "no_header",
			"a table of members has columns named Name and Email Address");
		return false;
	}
	while (csv_read_row(&m->csv)) {
		struct str project = project_of(m);
		if (!project.n || !csv_head_fits(&m->head, &m->csv))
			continue;
		m->is_named = m->is_named || is_named(m);
		m->several = m->several || (m->any && !str_equal(buf_str(&m->first), project));
		if (!m->any)
			buf_put_str(&m->first, project);
		m->any = true;
	}
	return !m->csv.refused && csv_read_again(&m->csv);
}

static void say_projects(struct members *m)
{
	struct intake_place at = { .file = m->csv.at.file };
	if (m->several && !m->is_named)
		intake_say(m->in, INTAKE_LOST, at, NIL, "Project Name", "several_projects",
			"nobody was imported: the file has several projects, and none of them "
			"has the name of this one, %s",
			m->in->project ? m->in->project : "which is unknown");
	else if (m->others)
		intake_say(m->in, INTAKE_NOTE, at, NIL, "Project Name", "other_projects",
			"rows of other projects, or of none, were skipped: %lld",
			(long long)m->others);
}

static enum rc take_rows(struct members *m)
{
	bool has_header = csv_read_row(&m->csv);
	while (has_header && csv_read_row(&m->csv)) {
		enum rc rc = take_row(m);
		if (rc)
			return rc;
	}
	say_projects(m);
	csv_head_say_unread(&m->head, m->in);
	return RC_OK;
}

enum rc members_csv_read(struct intake *in, int file, struct intake_bytes *bytes)
{
	struct members m = { .in = in };
	enum rc rc = RC_OK;
	csv_read_open(&m.csv, in, file, bytes);
	if (survey(&m))
		rc = take_rows(&m);
	id_set_free(&m.people);
	csv_head_free(&m.head);
	csv_read_close(&m.csv);
	buf_free(&m.first);
	record_free(&m.record);
	return rc;
}
