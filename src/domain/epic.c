#include "domain/epic.h"

#include "model/model.h"

struct epic *epic_touch(struct outcome *out, const struct epic *epic)
{
	struct epic *n = outcome_edit(out, &res_epic, epic);
	n->updated_at = out->scene->now;
	return n;
}
