#include "domain/token.h"

#include "model/object.h"

const char *token_problem(struct arena *a, const struct token *wish, bool names_none,
	struct ids own, int64_t now, const char **field)
{
	*field = "project_ids";
	if (names_none)
		return "A token for no project reaches nothing: name a project, or leave "
		       "project_ids out for all of them.";
	for (size_t i = 0; i < wish->project_ids.n; i++)
		if (!ids_have(own, wish->project_ids.v[i]))
			return arena_printf(a,
				"You are not in a project with id %lld, so your tokens cannot "
				"reach it.",
				(long long)wish->project_ids.v[i])
				.p;
	*field = "expires_at";
	return wish->expires_at != NIL && wish->expires_at <= now
		? "expires_at must be in the future."
		: NULL;
}
