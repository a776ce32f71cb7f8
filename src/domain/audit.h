/*
 * The audit log: who did what, for the owners of accounts and for operators. This file has the acts
 * that are told, and makes entries of the changes of commands; store/audit.h writes them, in the
 * transaction of the act.
 *
 * An entry never holds a secret: of changed objects it has the fields that their rows mark with
 * F_AUDIT, and of addresses of other systems (F_SITE) only scheme and host.
 */
#ifndef AUDIT_H
#define AUDIT_H

#include "domain/outcome.h"

/* Each act with its word and what it means, for the reference. */
#define AUDIT_ACTS(X)                                                                                               \
	X(SIGN_IN, sign_in, "Somebody signed in.")                                                                  \
	X(SIGN_IN_REFUSED, sign_in_refused,                                                                         \
		"A sign-in was refused: a wrong password or code, too many attempts, or the answer of a provider.") \
	X(SIGN_OUT, sign_out, "Somebody signed out.")                                                               \
	X(SESSION_END, session_end, "Sessions of a person were ended.")                                             \
	X(FACTOR_ON, second_factor_on, "A person set up a second factor.")                                          \
	X(FACTOR_OFF, second_factor_off, "A second factor was turned off.")                                         \
	X(RECOVERY_CODE, recovery_code_use, "A recovery code was used up.")                                         \
	X(PASSKEY_CREATE, passkey_create, "A person added a passkey.")                                              \
	X(PASSKEY_DELETE, passkey_delete, "A passkey was removed.")                                                 \
	X(TOKEN_CREATE, token_create, "A named token was created.")                                                 \
	X(TOKEN_DELETE, token_delete,                                                                               \
		"A named token was ended, or no longer reaches the account.")                                       \
	X(API_TOKEN, api_token_change, "A person got a new API token, or lost it.")                                 \
	X(PASSWORD_CHANGE, password_change, "A password was changed.")                                              \
	X(PASSWORD_RESET, password_reset, "A password was chosen through an emailed link.")                         \
	X(ADDRESS_CHANGE, address_change,                                                                           \
		"A person's email address or user name was changed; if by a provider, perhaps their name, too.")    \
	X(PASSWORD_SIGN_IN, password_sign_in_change,                                                                \
		"A person was allowed to sign in with a password despite the setting, or no longer is.")            \
	X(IDENTITY_LINK, identity_link,                                                                             \
		"A person was linked with an account at an OpenID provider.")                                       \
	X(IDENTITY_UNLINK, identity_unlink, "A person was unlinked from such an account.")                          \
	X(PERSON_CREATE, person_create, "A person was added.")                                                      \
	X(PERSON_DISABLE, person_disable, "A person was disabled.")                                                 \
	X(PERSON_ENABLE, person_enable, "A disabled person may sign in again.")                                     \
	X(PERSON_DELETE, person_delete, "A person was removed for good.")                                           \
	X(CLAIM, placeholder_claim, "A placeholder of an import was given to a person.")                            \
	X(ACCOUNT_CREATE, account_create, "An account was created.")                                                \
	X(ACCOUNT_CHANGE, account_change, "The settings or the owner of an account were changed.")                  \
	X(MEMBERSHIP_CREATE, membership_create, "A person was added to a project or an account.")                   \
	X(ROLE_CHANGE, role_change,                                                                                 \
		"A person's role or rights in a project or an account were changed.")                               \
	X(MEMBERSHIP_DELETE, membership_delete,                                                                     \
		"A person left a project or an account, or was removed.")                                           \
	X(PROJECT_CREATE, project_create, "A project was created.")                                                 \
	X(PROJECT_CHANGE, project_change, "Settings of a project were changed.")                                    \
	X(PROJECT_PUBLIC, project_public, "A project was made public.")                                             \
	X(PROJECT_DELETE, project_delete, "A project was deleted.")                                                 \
	X(PROJECT_EXPORT, project_export,                                                                           \
		"A project was exported: all of it, or all of its stories as CSV.")                                 \
	X(PROJECT_IMPORT, project_import, "Files were sent for import into a project.")                             \
	X(PROJECT_IMPORT_END, project_import_end, "An import was cancelled.")                                       \
	X(WEBHOOK_CREATE, webhook_create, "A webhook was created.")                                                 \
	X(WEBHOOK_CHANGE, webhook_change, "A webhook was changed.")                                                 \
	X(WEBHOOK_DELETE, webhook_delete, "A webhook was deleted.")                                                 \
	X(INTEGRATION_CREATE, integration_create, "An integration was created.")                                    \
	X(INTEGRATION_CHANGE, integration_change, "An integration was changed.")                                    \
	X(INTEGRATION_DELETE, integration_delete, "An integration was deleted.")                                    \
	X(TOOL_USE, tool_use, "An assistant changed something with a tool.")                                        \
	X(SECRET_ROTATE, secret_rotate, "The server got a new secret.")                                             \
	X(BACKUP, backup, "A backup of the server was made.")                                                       \
	X(RESTORE, restore, "The server was restored from a backup.")

enum audit_act {
#define AUDIT_ENUM(NAME, word, doc) AUDIT_##NAME,
	AUDIT_ACTS(AUDIT_ENUM)
#undef AUDIT_ENUM
		AUDIT__MAX
};

/* Their words, null ended, and what each means. */
extern const char *const audit_words[];
extern const char *const audit_docs[];

/* Acts as a set, for rows of routes: which ones a route tells, or that it tells none. */
#define AUDIT_TELLS(NAME) (UINT64_C(1) << AUDIT_##NAME)
#define AUDIT_UNTOLD (UINT64_C(1) << 63)
_Static_assert((int)AUDIT__MAX < 63, "a set of acts has 63 bits");

/* The performer, and the means. */
struct audit_who {
	int64_t person; /* NIL: nobody that the server knows */
	struct str
		means; /* session, api_token, password, link, provider:NAME, remote_user, import, ctl:USER … */
	int64_t token; /* … or a named token, whose name is told as token:NAME; NIL: none */
	struct str address, request; /* absent: none */
	bool is_agent;               /* by a tool of an assistant: every change is recorded */
	uint64_t acts;               /* those that the route names (AUDIT_TELLS); 0: any */
};

struct audit_entry {
	enum audit_act act;
	struct ids accounts; /* whose owners read it; none: that of the project … */
	int64_t member;      /* … and those of the accounts of this person; NIL: none */
	int64_t project_id;  /* NIL: none */
	const char *kind;    /* what it is about; null: nothing */
	int64_t id;          /* NIL: it has none */
	struct str name;     /* absent: it has none */
	struct str old, new; /* JSON objects; absent: none */
};

/* An entry of no account and about nothing, to be filled in. */
struct audit_entry audit_entry(enum audit_act act);

/* The same about a person, for the accounts of theirs. */
struct audit_entry audit_entry_of_person(enum audit_act act, int64_t person);

/* {"KEY":"TEXT"} */
struct str audit_text(struct arena *a, const char *key, struct str text);

/* A value that was and is another one; absent: null. */
struct audit_pair {
	const char *key;
	struct str old, new;
};

/* Sets e->old and e->new to what these changed; the other one to a switch that was turned. */
void audit_pairs(struct arena *a, struct audit_entry *e, const struct audit_pair *pairs, int n);
void audit_switch(struct arena *a, struct audit_entry *e, const char *key, bool is_on);

/* The values of a new object that F_AUDIT marks, as a JSON object; absent: there are none. */
struct str audit_values(struct arena *a, const struct resource *of, const void *object);

/*
 * What a change of a command is told as. False: it is not told, as planning work is not, and
 * neither are changes of fields without F_AUDIT.
 */
bool audit_change(struct arena *a, const struct change *c, struct audit_entry *e);

/* What an assistant's command does in a project is told as. False: nothing that is reported. */
bool audit_tool_use(struct arena *a, const struct batch *b, struct audit_entry *e);

#endif
