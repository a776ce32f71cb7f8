#include "domain/project.h"

#include <stdlib.h>
#include <string.h>

#include "domain/membership.h"
#include "domain/account.h"
#include "lib/when.h"
#include "model/model.h"

/* Point scales ------------------------------------------------------------------------ */

enum { VALUES_MAX = 12, DIGITS_MAX = 17 };

static bool take_digits(struct str *s)
{
	size_t n = 0;
	while (n < s->n && s->p[n] >= '0' && s->p[n] <= '9')
		n++;
	s->p += n;
	s->n -= n;
	return n >= 1 && n <= DIGITS_MAX;
}

/* A decimal number, with at most so many digits on either side of the point. */
static bool is_number(struct str s)
{
	if (s.n && s.p[0] == '-') {
		s.p++;
		s.n--;
	}
	if (!take_digits(&s))
		return false;
	if (s.n == 0)
		return true;
	if (s.p[0] != '.')
		return false;
	s.p++;
	s.n--;
	return take_digits(&s) && s.n == 0;
}

static double value_of(struct str s)
{
	char text[2 * DIGITS_MAX + 4] = { 0 };
	memcpy(text, s.p, s.n < sizeof text ? s.n : sizeof text - 1);
	return strtod(text, NULL);
}

/* Values of a scale that is well formed; false: it is not. */
static bool read_scale(struct str scale, double *v, size_t *n)
{
	*n = 0;
	for (struct str rest = scale; rest.p;) {
		struct str part = str_trim(str_cut(&rest, ','));
		if (!is_number(part))
			return false;
		v[(*n)++] = value_of(part);
	}
	return true;
}

const char *project_scale_problem(struct arena *a, struct str scale)
{
	size_t n;
	double *v = arena_array(a, scale.n + 1, sizeof *v);
	bool negative = false, large = false, twice = false, falls = false;
	if (!read_scale(scale, v, &n))
		return "This is not a valid custom point scale.";
	for (size_t i = 0; i < n; i++) {
		negative = negative || v[i] < 0;
		large = large || v[i] > 999;
		falls = falls || (i > 0 && v[i] < v[i - 1]);
		for (size_t k = 0; n <= VALUES_MAX && k < i; k++)
			twice = twice || !(v[i] < v[k] || v[i] > v[k]);
	}
	return negative ? "You can't use negative values for points."
		: n > VALUES_MAX
		? "There are too many values in this point scale. Please use 12 or "
		  "fewer values."
		: large ? "You can't have point values above 999"
		: twice ? "You can't have duplicate point values."
		: falls ? "Point values must be provided in ascending order."
			: NULL;
}

/* Blanks around the values do not count. */
static struct str tidy_scale(struct arena *a, struct str scale)
{
	struct str tidy = { 0 };
	for (struct str rest = scale; rest.p;) {
		struct str part = str_trim(str_cut(&rest, ','));
		tidy = tidy.p
			? arena_printf(a, "%.*s,%.*s", (int)tidy.n, tidy.p, (int)part.n, part.p)
			: part;
	}
	return tidy;
}

/* Settings ------------------------------------------------------------------------------- */

const char *project_zone_problem(const struct scene *s, struct str zone)
{
	if (!when_is_zone_name(zone))
		return "time_zone must name a time zone of the tz database, such as "
		       "{\"olson_name\":\"America/Los_Angeles\"}.";
	return s->knows_zone ? NULL
			     : arena_printf(s->arena, "%.*s is not a time zone of the tz database.",
				       (int)zone.n, zone.p)
				       .p;
}

static enum rc check_zone(struct outcome *out, struct str zone)
{
	const char *problem = project_zone_problem(out->scene, zone);
	return problem ? outcome_refuse_field(out, "time_zone", "%s", problem) : RC_OK;
}

static void check_start(struct outcome *out, const struct project *n)
{
	if (n->start_date == NIL)
		return;
	int day = when_weekday((int32_t)n->start_date);
	if (day == n->week_start_day)
		return;
	struct buf date = { 0 };
	when_put_slashes(&date, (int32_t)n->start_date);
	outcome_problem(out, "start_date",
		"%.*s is a %s and Iterations in this project start on %ss.", (int)date.n, date.p,
		words_week_days[day], words_week_days[n->week_start_day]);
	buf_free(&date);
}

static bool is_between(int64_t v, int64_t first, int64_t last)
{
	return v >= first && v <= last;
}

static void check_velocity(struct outcome *out, const struct project *n, const struct wish *wish)
{
	if (n->initial_velocity < 1)
		outcome_problem(
			out, "initial_velocity", "You must specify a value of 1 or greater.");
	else if (n->initial_velocity > 999)
		outcome_problem(out, "initial_velocity", "Initial velocity can't exceed 999.");
	if (!is_between(n->velocity_averaged_over, 1, 4))
		outcome_problem(out, "velocity_averaged_over",
			"Average of %lld iterations is not a valid velocity scheme",
			(long long)n->velocity_averaged_over);
	int64_t needed = n->velocity_averaged_over < 4 ? n->velocity_averaged_over : 4;
	if (n->number_of_done_iterations_to_show < needed)
		outcome_problem(out,
			wish_asks(wish, project, number_of_done_iterations_to_show)
				? "number_of_done_iterations_to_show"
				: "velocity_averaged_over",
			"Your project must load enough done iterations to calculate your velocity "
			"according to your settings.");
}

static void check_name(struct outcome *out, const struct project *n)
{
	const struct objects *named = &out->scene->projects;
	for (size_t i = 0; i < named->n; i++) {
		const struct project *p = named->v[i];
		if (p->account_id == n->account_id && p->id != n->id) {
			outcome_problem(
				out, "name", "The project name you entered is already taken.");
			return;
		}
	}
}

/* Iterations continue on the new weekday; public and project_type mean the same: the one that is
   given wins, and public if both are. */
static void follow(struct project *n, const struct project *old, const struct wish *wish)
{
	if (old && n->week_start_day != old->week_start_day && n->start_date == old->start_date &&
		n->start_date != NIL)
		n->start_date = when_week_start((int32_t)n->start_date, n->week_start_day);
	if (!wish_asks(wish, project, public))
		n->public = n->project_type == PROJECT_PUBLIC;
	else if (n->public)
		n->project_type = PROJECT_PUBLIC;
	else if (n->project_type == PROJECT_PUBLIC)
		n->project_type = PROJECT_PRIVATE;
}

/* Checks the new state of the project and reports all problems together. */
static enum rc check(
	struct outcome *out, struct project *n, const struct project *old, const struct wish *wish)
{
	const char *problem = project_scale_problem(out->scene->arena, n->point_scale);
	n->point_scale = tidy_scale(out->scene->arena, n->point_scale);
	follow(n, old, wish);
	if (problem)
		outcome_problem(out, "point_scale", "%s", problem);
	if (!is_between(n->iteration_length, 1, 4))
		outcome_problem(
			out, "iteration_length", "iteration_length can only be between 1 and 4.");
	check_velocity(out, n, wish);
	check_start(out, n);
	if (n->project_type == PROJECT_SHARED)
		outcome_problem(out, "project_type",
			"Cannot make a project's type shared on non-enterprise accounts");
	check_name(out, n);
	return outcome_is_refused(out) ? RC_INVALID_PARAMETER : RC_OK;
}

/* Accounts ---------------------------------------------------------------------------------- */

/* The account that a wish names: one in which the caller may create projects. */
static enum rc check_account(struct outcome *out, int64_t id)
{
	const struct scene *s = out->scene;
	if (!objects_find(&s->accounts, id))
		return outcome_refuse_field(
			out, "account_id", "Account with id=%lld does not exist.", (long long)id);
	for (size_t i = 0; i < s->account_memberships.n; i++) {
		const struct account_membership *m = s->account_memberships.v[i];
		if (m->account_id == id && m->project_creator)
			return RC_OK;
	}
	return RC_UNAUTHORIZED_OPERATION;
}

/* The caller's oldest own account, otherwise the only possible one. */
static enum rc choose_account(struct outcome *out, int64_t *id)
{
	const struct objects *mine = &out->scene->account_memberships;
	size_t n = 0;
	for (size_t i = 0; i < mine->n; i++) {
		const struct account_membership *m = mine->v[i];
		if (!m->project_creator)
			continue;
		*id = m->account_id;
		if (m->owner)
			return RC_OK;
		n++;
	}
	if (n > 1)
		return outcome_refuse(out, "this endpoint requires the parameter: account_id");
	return n == 1 ? RC_OK : RC_UNAUTHORIZED_OPERATION;
}

static enum rc take_account(struct outcome *out, const struct project *w, struct project *n)
{
	if (w->new_account_name.p && w->account_id != NIL)
		return outcome_refuse(
			out, "Do not send account_id with new_account_name in the same request.");
	if (w->account_id != NIL)
		return check_account(out, w->account_id);
	if (!w->new_account_name.p)
		return choose_account(out, &n->account_id);
	if (!out->scene->new_accounts) {
		(void)outcome_refuse(out,
			"New accounts cannot be created on this server: send the account_id of an account in which you may create projects.");
		return RC_UNAUTHORIZED_OPERATION;
	}
	n->account_id = account_make(out, w->new_account_name, out->scene->me->id)->id;
	return RC_OK;
}

/* Commands ------------------------------------------------------------------------------------ */

const char *const project_review_types[PROJECT_REVIEW_TYPES] = { "Test (QA)", "Design", "Code",
	"Security" };

static void make_review_types(struct outcome *out, int64_t project)
{
	for (int i = 0; i < PROJECT_REVIEW_TYPES; i++) {
		struct review_type *n = outcome_new(out, &res_review_type);
		n->project_id = project;
		n->name = str_of(project_review_types[i]);
		n->created_at = n->updated_at = out->scene->now;
		outcome_create(out, &res_review_type, n);
	}
}

enum rc project_create(struct outcome *out, const struct wish *wish)
{
	const struct scene *s = out->scene;
	const struct project *w = wish->object;
	struct project *n = outcome_new(out, &res_project);
	enum rc rc;
	if (w->create_sample)
		return outcome_refuse_field(
			out, "create_sample", "This server has no sample project.");
	n->time_zone = s->me->time_zone;
	n->created_at = n->updated_at = s->now;
	wish_apply(wish, n);
	if ((rc = take_account(out, w, n)) ||
		(w->time_zone.p && (rc = check_zone(out, n->time_zone))) ||
		(rc = check(out, n, NULL, wish)))
		return rc;
	out->subject = outcome_create(out, &res_project, n);
	if (!wish_asks(wish, project, no_owner))
		outcome_create(out, &res_project_membership,
			membership_make(out, n->id, s->me->id, ROLE_OWNER));
	make_review_types(out, n->id);
	return RC_OK;
}

enum rc project_update(struct outcome *out, const struct wish *wish)
{
	const struct project *old = out->scene->project, *w = wish->object;
	struct project *n = outcome_edit(out, &res_project, old);
	enum rc rc;
	out->subject = n;
	wish_apply(wish, n);
	if ((n->account_id != old->account_id && (rc = check_account(out, n->account_id))) ||
		(w->time_zone.p && (rc = check_zone(out, n->time_zone))) ||
		(rc = check(out, n, old, wish)))
		return rc;
	if (outcome_differs(&res_project, old, n))
		n->updated_at = out->scene->now;
	return RC_OK;
}

enum rc project_delete(struct outcome *out, const struct wish *none)
{
	(void)none;
	outcome_delete(out, &res_project, out->scene->project);
	return RC_OK;
}
