/* The rules of projects, accounts and their people, without a database. */
#include <criterion/criterion.h>
#include <string.h>

#include "domain/membership.h"
#include "domain/person.h"
#include "domain/project.h"
#include "lib/when.h"
#include "model/model.h"

struct world {
	struct arena arena;
	struct scene scene;
	struct id_pool pools[ID_POOLS_MAX];
	struct member me;
	struct outcome out;
};

static const int64_t ids[] = { 101, 102, 103, 104 };

static void add_pool(struct scene *s, int at, const struct resource *of)
{
	s->pools[at] = (struct id_pool){ .of = of, .ids = { ids, 4 } };
}

static void begin(struct world *w)
{
	*w = (struct world){ 0 };
	w->me = (struct member){
		.id = 7, .name = STR("Me"), .role = ROLE_OWNER, .time_zone = STR("Asia/Tokyo")
	};
	w->scene = (struct scene){
		.arena = &w->arena, .me = &w->me, .new_accounts = true, .pools = w->pools
	};
	add_pool(&w->scene, 0, &res_project);
	add_pool(&w->scene, 1, &res_project_membership);
	add_pool(&w->scene, 2, &res_review_type);
	add_pool(&w->scene, 3, &res_account);
	add_pool(&w->scene, 4, &res_account_membership);
	add_pool(&w->scene, 5, &res_person);
	outcome_init(&w->out, &w->scene, NULL);
}

static struct wish *wish(
	struct world *w, const struct resource *of, unsigned flag, const char *body)
{
	const char *problem;
	struct body *object = body_parse(&w->arena, str_of(body), &problem);
	cr_assert(object, "%s: %s", body, problem);
	return wish_read(&w->arena, of, object, flag);
}

static void add_account(struct world *w, int64_t id, bool owner, bool project_creator)
{
	struct account_membership *m = object_null(&w->arena, &res_account_membership);
	struct account *a = object_null(&w->arena, &res_account);
	m->account_id = a->id = id;
	m->owner = owner;
	m->project_creator = project_creator;
	m->admin = true;
	objects_add(&w->arena, &w->scene.account_memberships, m);
	objects_add(&w->arena, &w->scene.accounts, a);
}

static enum rc create(struct world *w, const char *body)
{
	return project_create(&w->out, wish(w, &res_project, F_CREATE, body));
}

static void expect_problem(const struct world *w, const char *text)
{
	cr_assert(w->out.problems, "%s", text);
	cr_expect(str_equal_z(w->out.problems->text, text), "%s instead of %s",
		w->out.problems->text.p, text);
}

/* Scales ------------------------------------------------------------------------- */

Test(people, scales)
{
	static const struct {
		const char *scale, *problem;
	} rows[] = {
		{ "0,1,2,3", NULL },
		{ " 0, 0.5 ,\\t100", NULL },
		{ "999", NULL },
		{ "-1,2", "You can't use negative values for points." },
		{ "2,1", "Point values must be provided in ascending order." },
		{ "1,1.0", "You can't have duplicate point values." },
		{ "1,1000", "You can't have point values above 999" },
		{ "1,,2", "This is not a valid custom point scale." },
		{ ",", "This is not a valid custom point scale." },
		{ "1;2", "This is not a valid custom point scale." },
		{ "1.", "This is not a valid custom point scale." },
		{ ".5", "This is not a valid custom point scale." },
		{ "1e3", "This is not a valid custom point scale." },
		{ "1234567890", "You can't have point values above 999" },
		{ "0.12345678901234567", NULL },
		{ "123456789012345678", "This is not a valid custom point scale." },
		{ "0,1,2,3,4,5,6,7,8,9,10,11,12",
			"There are too many values in this point scale. Please use 12 or fewer "
			"values." },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct world w;
		begin(&w);
		add_account(&w, 1, true, true);
		enum rc rc = create(&w,
			arena_printf(
				&w.arena, "{\"name\":\"P\",\"point_scale\":\"%s\"}", rows[i].scale)
				.p);
		if (rows[i].problem)
			expect_problem(&w, rows[i].problem);
		else
			cr_expect_eq(rc, RC_OK, "%s", rows[i].scale);
		arena_free(&w.arena);
	}
}

Test(people, blanks_in_a_scale_are_nothing)
{
	struct world w;
	begin(&w);
	add_account(&w, 1, true, true);
	cr_assert_eq(create(&w, "{\"name\":\"P\",\"point_scale\":\" 0, 1 ,2\"}"), RC_OK);
	const struct project *p = w.out.subject;
	cr_expect(str_equal_z(p->point_scale, "0,1,2"));
	cr_expect(str_equal_z(p->time_zone, "Asia/Tokyo"));
	arena_free(&w.arena);
}

/* Accounts ----------------------------------------------------------------------- */

Test(people, accounts_of_new_projects)
{
	static const struct {
		int own, others; /* accounts; in the last of the others, only an admin */
		enum rc rc;
		int64_t account;
	} rows[] = { { 0, 0, RC_UNAUTHORIZED_OPERATION, 0 }, { 0, 1, RC_UNAUTHORIZED_OPERATION, 0 },
		{ 0, 2, RC_OK, 10 }, { 0, 3, RC_INVALID_PARAMETER, 0 }, { 1, 0, RC_OK, 20 },
		{ 2, 4, RC_OK, 20 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct world w;
		begin(&w);
		for (int k = 0; k < rows[i].others; k++)
			add_account(&w, 10 + k, false, k < rows[i].others - 1);
		for (int k = 0; k < rows[i].own; k++)
			add_account(&w, 20 + k, true, true);
		cr_expect_eq(create(&w, "{\"name\":\"P\"}"), rows[i].rc, "row %zu", i);
		if (rows[i].rc == RC_OK) {
			const struct project *p = w.out.subject;
			cr_expect_eq(p->account_id, rows[i].account, "row %zu", i);
		}
		arena_free(&w.arena);
	}
}

Test(people, a_new_account_is_the_maker_s)
{
	struct world w;
	begin(&w);
	cr_assert_eq(create(&w, "{\"name\":\"P\",\"new_account_name\":\"A\",\"no_owner\":false}"),
		RC_OK);
	const struct batch *b = w.out.batches;
	cr_assert_eq(b->n, 2 + 1 + PROJECT_REVIEW_TYPES); /* and no membership */
	const struct account_membership *m = b->changes[1].new;
	cr_expect(m->owner && m->admin && m->project_creator && m->person_id == 7);
	arena_free(&w.arena);
	begin(&w);
	w.scene.new_accounts = false;
	cr_expect_eq(create(&w, "{\"name\":\"P\",\"new_account_name\":\"A\"}"),
		RC_UNAUTHORIZED_OPERATION);
	cr_expect(w.out.general_problem.n > 0);
	arena_free(&w.arena);
}

/* Weeks ---------------------------------------------------------------------------- */

static int64_t day_of(const char *text)
{
	int32_t days;
	cr_assert(when_parse_date(str_of(text), &days), "%s", text);
	return days;
}

static struct project *settled(struct world *w)
{
	struct project *p = object_new(&w->arena, &res_project);
	p->id = 1;
	p->account_id = 1;
	p->name = STR("P");
	p->time_zone = STR("Etc/UTC");
	w->scene.project = p;
	return p;
}

Test(people, a_start_moves_back_to_the_new_weekday)
{
	static const struct {
		const char *start, *day, *moved;
	} rows[] = { { "2024-01-01", "monday", "2024-01-01" },
		{ "2024-01-01", "SUNDAY", "2023-12-31" },
		{ "2024-01-01", "tuesday", "2023-12-26" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct world w;
		begin(&w);
		settled(&w)->start_date = day_of(rows[i].start);
		cr_assert_eq(project_update(&w.out,
				     wish(&w, &res_project, F_UPDATE,
					     arena_printf(&w.arena, "{\"week_start_day\":\"%s\"}",
						     rows[i].day)
						     .p)),
			RC_OK);
		const struct project *n = w.out.subject;
		cr_expect_eq(n->start_date, day_of(rows[i].moved), "row %zu", i);
		cr_expect_eq(outcome_settle(&w.out), i > 0, "row %zu", i);
		arena_free(&w.arena);
	}
}

Test(people, public_and_project_type_say_the_same)
{
	static const struct {
		bool public;
		int type;
		const char *body;
		bool is_public;
		int is_type;
	} rows[] = {
		{ false, PROJECT_PRIVATE, "{\"public\":true}", true, PROJECT_PUBLIC },
		{ true, PROJECT_PUBLIC, "{\"public\":false}", false, PROJECT_PRIVATE },
		{ false, PROJECT_DEMO, "{\"project_type\":\"public\"}", true, PROJECT_PUBLIC },
		{ true, PROJECT_PUBLIC, "{\"project_type\":\"demo\"}", false, PROJECT_DEMO },
		{ false, PROJECT_DEMO, "{\"public\":true,\"project_type\":\"private\"}", true,
			PROJECT_PUBLIC },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct world w;
		begin(&w);
		struct project *p = settled(&w);
		p->public = rows[i].public;
		p->project_type = rows[i].type;
		cr_assert_eq(project_update(&w.out, wish(&w, &res_project, F_UPDATE, rows[i].body)),
			RC_OK);
		const struct project *n = w.out.subject;
		cr_expect_eq(n->public, rows[i].is_public, "row %zu", i);
		cr_expect_eq(n->project_type, rows[i].is_type, "row %zu", i);
		arena_free(&w.arena);
	}
}

/* People --------------------------------------------------------------------------- */

Test(people, names_made_up)
{
	static const struct {
		const char *name, *letters, *email, *base;
	} rows[] = { { "Ada Lovelace", "AL", "Ada.L@x.test", "ada.l" },
		{ "  a  b\tc d", "abc", "@x", "user" }, { "Éva Örs", "ÉÖ", "é+x@y", "x" },
		{ "李 小龍", "李小", "0_-.~!@y", "0_-." } };
	struct arena a = { 0 };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_expect(str_equal_z(person_letters(&a, str_of(rows[i].name)), rows[i].letters),
			"%s", rows[i].name);
		cr_expect(str_equal_z(person_base(&a, str_of(rows[i].email)), rows[i].base), "%s",
			rows[i].email);
	}
	arena_free(&a);
}

Test(people, user_names_that_are_taken)
{
	static const struct str taken[] = { { "ada", 3 }, { "ADA2", 4 }, { "ada4", 4 } };
	const struct person_ref ref = { NIL, STR("ada@x.test"), STR("Ada"), { 0 } };
	struct world w;
	begin(&w);
	w.scene.usernames = (struct strs){ taken, 3 };
	w.scene.initials = STR("A");
	const struct person *p = person_make(&w.out, &ref, (struct str){ 0 });
	cr_expect(str_equal_z(p->username, "ada3"));
	cr_expect(str_equal_z(p->initials, "A"));
	arena_free(&w.arena);
}

Test(people, whom_an_id_names)
{
	struct person known = { .id = 9, .name = STR("Known") };
	void *list[] = { &known };
	for (int seen = 0; seen < 2; seen++)
		for (int only_seen = 0; only_seen < 2; only_seen++) {
			const struct person_ref ref = { .id = 9 };
			const struct person *p;
			struct world w;
			begin(&w);
			known.seen = seen;
			w.scene.people = (struct objects){ list, 1 };
			w.scene.only_seen = only_seen;
			cr_expect_eq(person_named(&w.out, &ref, &p),
				only_seen && !seen ? RC_UNFOUND_RESOURCE : RC_OK);
			arena_free(&w.arena);
		}
}

/* Memberships ------------------------------------------------------------------------ */

static struct membership *add_membership(struct world *w, int64_t id, int64_t person, int role)
{
	struct membership *m = object_new(&w->arena, &res_project_membership);
	m->id = id;
	m->project_id = 1;
	m->person_id = person;
	m->role = role;
	if (role == ROLE_OWNER)
		objects_add(&w->arena, &w->scene.memberships, m);
	return m;
}

Test(people, who_changes_a_membership)
{
	static const struct {
		int me; /* my role */
		bool administers, own;
		const char *body;
		enum rc rc;
		bool told;
	} rows[] = {
		{ ROLE_VIEWER, false, true, "{\"favorite\":true}", RC_OK, false },
		{ ROLE_VIEWER, false, true, "{\"role\":\"viewer\"}", RC_OK, false },
		{ ROLE_VIEWER, false, true, "{\"role\":\"owner\"}", RC_UNAUTHORIZED_OPERATION,
			true },
		{ ROLE_MEMBER, false, false, "{\"favorite\":true}", RC_UNAUTHORIZED_OPERATION,
			true },
		{ ROLE_OWNER, false, false, "{\"favorite\":true}", RC_OK, true },
		{ WORD_NONE, true, false, "{\"role\":\"owner\"}", RC_OK, true },
		{ ROLE_OWNER, false, true, "{\"project_color\":\"00FF00\"}", RC_OK, false },
		{ ROLE_OWNER, false, true, "{\"project_color\":\"green\"}", RC_INVALID_PARAMETER,
			true },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct world w;
		begin(&w);
		settled(&w);
		outcome_init(&w.out, &w.scene, "project_membership_update");
		w.me.role = rows[i].me;
		w.scene.administers = rows[i].administers;
		int role = rows[i].own ? rows[i].me : ROLE_VIEWER;
		w.scene.object = add_membership(&w, 5, rows[i].own ? 7 : 8, role);
		cr_expect_eq(membership_update(&w.out,
				     wish(&w, &res_project_membership, F_UPDATE, rows[i].body)),
			rows[i].rc, "row %zu", i);
		if (rows[i].rc == RC_OK)
			cr_expect_eq(!!w.out.batch->activity, rows[i].told, "row %zu", i);
		arena_free(&w.arena);
	}
}

Test(people, a_project_keeps_an_owner)
{
	for (int owners = 1; owners <= 2; owners++) {
		struct world w;
		begin(&w);
		settled(&w);
		w.scene.object = add_membership(&w, 5, 7, ROLE_OWNER);
		if (owners == 2)
			add_membership(&w, 6, 8, ROLE_OWNER);
		enum rc rc = owners == 2 ? RC_OK : RC_INVALID_PARAMETER;
		cr_expect_eq(membership_delete(&w.out, NULL), rc);
		outcome_init(&w.out, &w.scene, NULL);
		cr_expect_eq(membership_update(&w.out,
				     wish(&w, &res_project_membership, F_UPDATE,
					     "{\"role\":\"member\"}")),
			rc);
		arena_free(&w.arena);
	}
}
