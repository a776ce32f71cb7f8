/* planwrightctl imports: lists and ends imports that project owners requested over HTTP. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/value.h"
#include "programs/ctl/ctl_audit_entry.h"
#include "service/files.h"
#include "transfer/run/import_store.h"
#include "transfer/run/import_files.h"

void ctl_imports_list(struct ctl *c)
{
	const struct rows *rows = ctl_query(c,
		"select i.id, i.state, i.project_id, p.username, i.size / 1048576, "
		"to_char(i.created_at, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), i.progress "
		"from project_import i left join person p on p.id = i.person_id "
		"left join import_turn t on t.person_id = i.person_id "
		"where i.state in ('queued', 'running') "
		"order by i.state desc, row_number() over (partition by i.person_id, i.state order by i.id), "
		"t.began_at nulls first, i.id",
		0, NULL);

	for (int i = 0; i < db_count(rows); i++)
		printf("%lld\t%s\tproject %lld\t%s\t%lld MiB\t%s\t%s\n",
			(long long)db_get_int(rows, i, 0), ctl_line(c, rows, i, 1),
			(long long)db_get_int(rows, i, 2), ctl_line(c, rows, i, 3),
			(long long)db_get_int(rows, i, 4), ctl_line(c, rows, i, 5),
			ctl_line(c, rows, i, 6));
	ctl_commit(c);
}

void ctl_imports_end(struct ctl *c)
{
	int64_t id;
	bool waited = false;
	if (!str_to_int(str_of(c->word), &id) || id < 1)
		ctl_fail(c, "imports end: %s is not the number of an import", c->word);
	struct db_param param = db_int(&c->arena, id);
	const struct rows *rows = ctl_query(c,
		"select state = 'queued' from project_import where id = $1 for update", 1, &param);
	if (db_count(rows))
		waited = db_get_bool(rows, 0, 0);
	rows = ctl_query(c,
		"update project_import set state = 'cancelled', progress = null, finished_at = now() "
		"where id = $1 and state in ('queued', 'running') and not committed returning project_id",
		1, &param);
	bool ended = db_count(rows) > 0;
	struct audit_entry e = audit_entry(AUDIT_PROJECT_IMPORT_END);
	e.kind = "project_import";
	e.id = id;
	e.project_id = ended ? db_get_int(rows, 0, 0) : NIL;
	if (ended)
		ctl_audit_entry(c, &e);
	ctl_commit(c);
	if (!ended)
		ctl_fail(c,
			"imports end: there is no waiting or running import %lld: see planwrightctl imports list",
			(long long)id);
	struct files kept = files_of(&c->conf);
	bool in_store = conf_has_store(&c->conf);
	if (waited &&
		!(in_store ? import_store_delete(&kept, id) : import_files_delete(kept.folder, id)))
		fprintf(stderr,
			"planwrightctl: imports end: its files will be deleted in an "
			"hour: %s\n",
			in_store ? kept.problem.text : strerror(errno));
	printf("import %lld was cancelled\n", (long long)id);
}
