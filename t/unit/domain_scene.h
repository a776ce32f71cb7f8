/*
 * A request of a golden case, decided by the rule that its route names: the scene is
 * built from the case's world, as store/load.h builds it from rows.
 */
#ifndef DOMAIN_SCENE_H
#define DOMAIN_SCENE_H

#include "domain_world.h"
#include "http/req.h"
#include "http/route.h"

struct domain_play {
	struct domain_world *world;
	struct req req; /* with method, path, ids and body */
	struct wish *wish;
	struct scene scene;
	struct outcome out;
	enum rc rc;
	struct spread room; /* others had to make room there first */
	bool is_idle;       /* nothing is left to save */
};

/* body: null for DELETE. Returns null, or what is wrong with the request itself. */
const char *domain_scene_play(struct domain_world *w, struct str method, struct str path,
	struct body *body, struct domain_play *play);

#endif
