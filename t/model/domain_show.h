/* Writes objects of a world in memory as JSON, for comparison with the model: as the API shows them,
   except for times, which are in milliseconds. */
#ifndef DOMAIN_SHOW_H
#define DOMAIN_SHOW_H

#include "domain_scene.h"

/* What a request returns: the object of its rule, or the stories of a bulk change. */
void domain_show_subject(struct json *j, struct domain_play *play);

/* What its batches report: activities, transitions, notifications. */
void domain_show_told(struct json *j, struct domain_play *play);

/* Everything in a project, and its settings and people. */
void domain_show_project(struct json *j, struct domain_world *w, const struct project *p);

/* All accounts with their people, and everybody's user name. */
void domain_show_people(struct json *j, struct domain_world *w);

#endif
