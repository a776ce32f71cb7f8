/*
 * Projects, accounts and their people in the world of golden cases and of t/model/domain.c: who is where, what the rules
 * about them load, and what the database does along with what they save.
 */
#ifndef DOMAIN_PEOPLE_H
#define DOMAIN_PEOPLE_H

#include "domain_scene.h"

/* Whether only requests about projects, accounts and their people make such objects. */
bool domain_people_are(const struct resource *of);

/* Who acts, and the people of the scene's project. */
void domain_people_enter(struct domain_play *p);

/* What the path's last id names, of a kind that is not found by its own id; null: there is none. */
bool domain_people_finds(const struct resource *of);
const void *domain_people_find(struct domain_play *p);

/* What the request's rule needs beyond that. */
void domain_people_select(struct domain_play *p);

/* Saves a change of a kind whose ids are not unique; false: it is of another kind. */
bool domain_people_put(struct domain_world *w, const struct change *c);

/* What the database does along with a change that was saved. */
void domain_people_follow(struct domain_world *w, const struct change *c);

/* Whether the row of a request's route lets the person in who acts, with the roles of the world. */
enum rc domain_people_may(struct domain_world *w, struct req *r) MUST_CHECK;

#endif
