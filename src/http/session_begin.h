/* Start of a browser session (session.h): sets the cookie once the person is authenticated. */
#ifndef SESSION_BEGIN_H
#define SESSION_BEGIN_H

#include "http/req.h"

enum { SESSION_SECRET_CHARS = 2 * CRYPT_TOKEN_CHARS, SESSION_IDLE_SECONDS = 30 * 86400 };

/* What one that the web server began (remote_user.h) has in place of a provider's name; no provider is called so. */
#define SESSION_OF_WEB_SERVER "remote_user"

/* The same for a passkey, which is two factors at once. */
#define SESSION_OF_PASSKEY "a_passkey"

/*
 * Begins one of the person, whom that OpenID provider has signed in (null: a password;
 * SESSION_OF_WEB_SERVER: the web server; SESSION_OF_PASSKEY): the answer sets the cookie. Sets r->login_id and
 * r->session_id. Only a password's is asked for our second factor: for the others, that is the
 * provider's business. The audit log has the sign-in, by "password", by "provider:" and its name, by
 * "remote_user", or by "passkey".
 */
enum rc session_begin(struct req *r, int64_t person, const char *provider) MUST_CHECK;

#endif
