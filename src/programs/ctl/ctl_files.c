#include <stdio.h>

#include "lib/when.h"
#include "programs/ctl/ctl.h"
#include "service/files.h"

enum { DAY_S = 24 * 60 * 60, BATCH = 1000 };

/* One batch of files; deletes those whose id has no row. */
struct sweep {
	struct ctl *ctl;
	struct files kept;
	int64_t before_s;
	int64_t ids[BATCH];
	const char *places[BATCH];
	size_t n;
	long deleted;
};

static void delete_file(struct sweep *s, const char *place)
{
	if (files_drop(&s->kept, place))
		s->deleted++;
	else
		fprintf(stderr, "%s\n", s->kept.problem.text);
}

static void delete_orphans(struct sweep *s)
{
	struct db_param ids = db_ids(&s->ctl->arena, s->ids, s->n);
	struct rows *rows = ctl_query(s->ctl,
		"select n from unnest($1::bigint[]) with ordinality x(id, n)"
		" where not exists (select from file_attachment f where f.id = x.id)",
		1, &ids);
	for (int i = 0; i < db_count(rows); i++)
		delete_file(s, s->places[db_get_int(rows, i, 0) - 1]);
	s->n = 0;
}

/* A file that is younger than a day may belong to an upload in progress. */
static void look_at(void *to, const struct files_found *found)
{
	struct sweep *s = to;
	if (found->changed_s > s->before_s)
		return;
	if (found->id < 0) {
		delete_file(s, found->place);
		return;
	}
	s->ids[s->n] = found->id;
	s->places[s->n++] = arena_printf(&s->ctl->arena, "%s", found->place).p;
	if (s->n == BATCH)
		delete_orphans(s);
}

void ctl_files_sweep(struct ctl *c)
{
	static struct sweep s;
	s.ctl = c;
	s.kept = files_of(&c->conf);
	s.before_s = when_now() / 1000000 - DAY_S;
	struct rows *rows = ctl_query(c,
		"with d as (delete from file_attachment where comment_id is null"
		" and created_at < now() - interval '1 day' returning 1) select count(*) from d",
		0, NULL);
	long long uploads = db_get_int(rows, 0, 0);
	ctl_query(c, "delete from secret_handover where until <= now()", 0, NULL);
	ctl_commit(c); /* a file is deleted once its row is gone for good */
	if (!files_walk(&s.kept, look_at, &s))
		ctl_fail(c, "%s", s.kept.problem.text);
	if (s.n)
		delete_orphans(&s);
	ctl_commit(c);
	printf("%lld abandoned uploads removed, %ld files deleted\n", uploads, s.deleted);
}
