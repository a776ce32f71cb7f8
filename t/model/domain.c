/*
 * Runs histories on the rules of src/domain, without a server: reads lines, and answers those that
 * request something with a line of JSON.
 *
 *	start MICROSECONDS        a new world, at this time
 *	KIND ID OBJECT            something that exists from the beginning, as in t/domain
 *	ready                     … after the last of these
 *	METHOD PATH PERSON [BODY] a request by a person; requests are a millisecond apart
 *	all                       everything that exists
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "domain_check.h"
#include "domain_people.h"
#include "domain_show.h"
#include "http/bind.h"
#include "model/model.h"

static struct arena arena;
static struct domain_world world;
static char broken[1000]; /* which general rule the last request broke, if any */

/* Called by t/unit/domain_rules.c; there is no test to fail here. */
void domain_case_fail(
	const struct domain_case *c, const struct domain_line *line, const char *format, ...)
{
	va_list args;
	(void)c;
	(void)line;
	va_start(args, format);
	vsnprintf(broken, sizeof broken, format, args);
	va_end(args);
}

static void answer(const struct buf *b)
{
	struct str s = buf_str(b);
	fwrite(s.p, 1, s.n, stdout);
	putchar('\n');
	fflush(stdout);
}

static void answer_fault(const char *fault)
{
	struct buf b = { 0 };
	struct json j;
	json_init(&j, &b);
	json_object(&j);
	json_put_z(&j, "fault", fault);
	json_object_end(&j);
	answer(&b);
	buf_free(&b);
}

static struct body *parse(struct str text)
{
	const char *problem;
	return text.n ? body_parse(&arena, text, &problem) : NULL;
}

/* The world -------------------------------------------------------------------------- */

static void start(struct str rest)
{
	int64_t now = 0;
	str_to_int(rest, &now); /* the line is in the arena, too */
	arena_reset(&arena);
	domain_world_start(&world, &arena);
	world.now = now;
}

static void add(struct str word, struct str rest)
{
	int64_t id = 0;
	struct str number = domain_case_word(&rest);
	const struct domain_kind *kind = domain_world_kind(word);
	const char *fault = !kind || !str_to_int(number, &id)
		? "no such kind, or no id"
		: domain_world_add(&world, kind, id, parse(rest));
	if (fault) {
		fprintf(stderr, "%.*s: %s\n", (int)word.n, word.p, fault);
		exit(2);
	}
}

static void show_all(void)
{
	struct buf b = { 0 };
	struct json j;
	struct objects *projects = domain_world_list(&world, &res_project);
	json_init(&j, &b);
	json_object(&j);
	json_put_array(&j, "projects");
	for (size_t i = 0; i < projects->n; i++)
		domain_show_project(&j, &world, projects->v[i]);
	json_array_end(&j);
	domain_show_people(&j, &world);
	json_object_end(&j);
	answer(&b);
	buf_free(&b);
}

/* Requests ----------------------------------------------------------------------------- */

/* What the server checks before it calls a rule: who may do this, and whether the body is well-formed. */
static enum rc check(struct str method, struct str path, struct body *body, const char **why)
{
	struct req r = { .arena = &arena, .method = method, .body = body };
	str_cut(&path, '/');
	while (path.p && path.n && r.n_segments < REQ_SEGMENTS_MAX)
		r.segments[r.n_segments++] = str_cut(&path, '/');
	*why = "no such place, or no right to do this there";
	enum rc rc = route_find(&r) ? RC_OK : domain_people_may(&world, &r);
	if (rc || !r.route || !body)
		return rc;
	const struct route *route = r.route;
	*why = "not well formed";
	bind_check(&r, route->body ? route->body : route->resource,
		str_equal_z(method, "POST") ? F_CREATE : F_UPDATE, route->one_of);
	return r.refused;
}

static const char *says(const struct outcome *out)
{
	struct str s = out->problems     ? out->problems->text
		: out->general_problem.p ? out->general_problem
					 : out->requirement;
	return s.p ? arena_str(&arena, s).p : "";
}

static void check_rules(struct domain_play *play)
{
	struct domain_case c = { .file = "" };
	struct domain_check check;
	broken[0] = '\0';
	domain_check_start(&check, &c, play);
	domain_rules_check(&check);
}

static int64_t version_of(int64_t project)
{
	const struct project *p = objects_find(domain_world_list(&world, &res_project), project);
	return p ? p->version : 0;
}

static void answer_done(struct domain_play *play)
{
	struct buf b = { 0 };
	struct json j;
	const struct scene *s = &play->scene;
	const struct project *told =
		s->source && route_id(&play->req, ":project") ? s->source : s->project;
	json_init(&j, &b);
	json_object(&j);
	json_put_int(&j, "status", play->req.route->resource ? 200 : 204);
	json_put_int(&j, "version", told ? version_of(told->id) : 0);
	if (broken[0])
		json_put_z(&j, "broken", broken);
	json_key(&j, "body");
	domain_show_subject(&j, play);
	json_key(&j, "told");
	domain_show_told(&j, play);
	json_object_end(&j);
	answer(&b);
	buf_free(&b);
}

static void answer_refused(enum rc rc, const char *why)
{
	struct buf b = { 0 };
	struct json j;
	json_init(&j, &b);
	json_object(&j);
	json_put_int(&j, "status", err_kinds[rc].status);
	json_put_z(&j, "code", err_kinds[rc].code);
	json_put_z(&j, "says", why);
	json_object_end(&j);
	answer(&b);
	buf_free(&b);
}

static void request(struct str method, struct str rest)
{
	struct domain_play play;
	struct str path = domain_case_word(&rest), person = domain_case_word(&rest);
	struct body *body = parse(rest);
	world.now += 1000;
	if (!str_to_int(person, &world.me) || (rest.n && !body)) {
		answer_fault("the line is none");
		return;
	}
	const char *why;
	enum rc rc = check(method, path, body, &why);
	if (rc) {
		answer_refused(rc, why);
		return;
	}
	const char *fault = domain_scene_play(&world, method, path, body, &play);
	if (fault) {
		answer_fault(fault);
		return;
	}
	if (play.rc) {
		answer_refused(play.rc, says(&play.out));
		return;
	}
	domain_world_save(&world, &play.out);
	check_rules(&play);
	domain_world_advance(&world, &play.out);
	answer_done(&play);
}

/* Lines ------------------------------------------------------------------------------------- */

static void take(struct str line)
{
	struct str rest = line, word = domain_case_word(&rest);
	if (str_equal_z(word, "start"))
		start(rest);
	else if (str_equal_z(word, "ready"))
		domain_world_finish(&world);
	else if (str_equal_z(word, "all"))
		show_all();
	else if (str_equal_z(word, "POST") || str_equal_z(word, "PUT") ||
		str_equal_z(word, "DELETE"))
		request(word, rest);
	else
		add(word, rest);
}

int main(void)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t n;
	while ((n = getline(&line, &size, stdin)) > 0) {
		struct str text = { line, (size_t)n };
		take(arena_str(&arena, str_trim(text)));
	}
	free(line);
	arena_free(&arena);
	return 0;
}
