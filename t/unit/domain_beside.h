/* Neighbours: places in the order of a case's world, as store/load.h loads them. */
#ifndef DOMAIN_BESIDE_H
#define DOMAIN_BESIDE_H

#include "domain_scene.h"

/* Put into the scene: the ends of the sections in this order, and all of it as neighbours. */
void domain_beside_ends(struct domain_play *p, const struct objects *order);
void domain_beside_neighbours(struct domain_play *p, const struct objects *order);

/* Copies that know their neighbours; null: no object has this id. */
const struct story *domain_beside_story(struct domain_play *p, int64_t id);
const struct epic *domain_beside_epic(struct domain_play *p, int64_t id);

#endif
