#include "transfer/merge/overrides.h"

#include <math.h>
#include <string.h>

#include "domain/iteration_override.h"

/* Greater than any number that a calendar has. */
enum { NUMBER_MAX = 100000 };

struct kept {
	int64_t *numbers, *lengths;
	double *strengths;
	size_t n;
};

/* What a remark's placeholders stand for; why is null if there is no such iteration. */
struct fault {
	struct str number;
	const char *field, *why;
};

static struct str value_of(const void *of, const char *name)
{
	const struct fault *f = of;
	return !strcmp(name, "number")   ? f->number
		: !strcmp(name, "field") ? str_of(f->field)
					 : str_of(f->why);
}

static void say(struct import_context *w, const struct rows *rows, int row, int64_t number,
	const char *field, const char *why)
{
	const struct fault f = { arena_printf(w->arena, "%lld", (long long)number), field, why };
	context_say(w, why ? STR(OVERRIDES_BAD_VALUE) : STR(OVERRIDES_NO_ITERATION),
		context_place(rows, row), NIL, value_of, &f);
	report_count(w->report, INTAKE_OVERRIDE, REPORT_LOST, 1);
}

static struct iteration_override read(const struct rows *rows, int row)
{
	int number = db_column(rows, "number"), length = db_column(rows, "length");
	int strength = db_column(rows, "team_strength");
	return (struct iteration_override){
		.id = db_is_null(rows, row, number) ? NIL : db_get_int(rows, row, number),
		.length = db_is_null(rows, row, length) ? NIL : db_get_int(rows, row, length),
		.team_strength =
			db_is_null(rows, row, strength) ? NAN : db_get_float(rows, row, strength),
	};
}

static void take(struct import_context *w, struct kept *k, const struct rows *rows, int row)
{
	struct iteration_override o = read(rows, row);
	const char *fault;

	if (o.id < 1 || o.id > NUMBER_MAX) {
		say(w, rows, row, o.id == NIL ? 0 : o.id, "number", NULL);
		return;
	}
	if ((fault = iteration_override_length_fault(o.length))) {
		say(w, rows, row, o.id, "length", fault);
		o.length = NIL;
	}
	if ((fault = iteration_override_strength_fault(o.team_strength))) {
		say(w, rows, row, o.id, "team_strength", fault);
		o.team_strength = NAN;
	}
	iteration_override_settle(&o, db_get_int(rows, row, db_column(rows, "own_length")));
	if ((o.length == NIL && isnan(o.team_strength)))
		return;
	k->numbers[k->n] = o.id;
	k->lengths[k->n] = o.length == NIL ? 0 : o.length;
	k->strengths[k->n++] = o.team_strength;
}

enum rc overrides_write(struct import_context *w)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_OVERRIDES_STAGED, 0, NULL, &rows);
	size_t all = rc ? 0 : (size_t)db_count(rows);
	struct kept k = { arena_array(w->arena, all, sizeof *k.numbers),
		arena_array(w->arena, all, sizeof *k.lengths),
		arena_array(w->arena, all, sizeof *k.strengths), 0 };
	for (size_t i = 0; i < all; i++)
		take(w, &k, rows, (int)i);
	const struct db_param params[] = { db_ids(w->arena, k.numbers, k.n),
		db_ids(w->arena, k.lengths, k.n), db_floats(w->arena, k.strengths, k.n) };
	return rc || k.n == 0 ? rc : context_run(w, STMT_IMPORT_OVERRIDES, 3, params);
}
