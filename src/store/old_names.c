#include "store/old_names.h"

static struct old_name *take_names(
	struct arena *a, const struct rows *rows, const char *kind, size_t *n)
{
	struct old_name *names = arena_array(a, (size_t)db_count(rows) + 1, sizeof *names);
	*n = 0;
	for (int i = 0; i < db_count(rows); i++)
		if (str_equal_z(db_get_text(rows, i, db_column(rows, "kind")), kind))
			names[(*n)++] = (struct old_name){ db_get_int(
								   rows, i, db_column(rows, "id")),
				arena_str(a, db_get_text(rows, i, db_column(rows, "name"))),
				arena_str(a, db_get_text(rows, i, db_column(rows, "initials"))) };
	return names;
}

void old_names_take(struct arena *a, const struct rows *rows, struct old_names *names)
{
	names->people = take_names(a, rows, "person", &names->n_people);
	names->labels = take_names(a, rows, "label", &names->n_labels);
}
