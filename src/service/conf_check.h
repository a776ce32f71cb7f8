/* Validation of settings: what a value must look like, beyond its type. */
#ifndef CONF_CHECK_H
#define CONF_CHECK_H

#include <stdbool.h>

#include "lib/str.h"

enum { CONF_BASE_URL_MAX = 200, CONF_STORE_MAX = 200, CONF_REGION_MAX = 40 };

/* How the setting files begins if it names an object store. */
#define CONF_STORE_MARK "s3://"

/* What is wrong, and what to do, as the rest of a sentence that begins with the name; null: nothing. */
const char *conf_check_text(const char *name, const char *value);

/* on, true, yes, 1 and their opposites; false: it is none of them. */
bool conf_check_bool(struct str s, bool *value);

/* Rewrites a good base_url, in place, as browsers write it in Origin: small letters, and no port if it is the
 * scheme's own. */
void conf_check_origin(char *base_url);

#endif
