// A certified third-party OpenID provider, for t/web/test_oidc.py:
//	node serve.mjs PORT ORIGIN SECRET
// ORIGIN is the server that people sign in to. Any name can sign in, with any password, and becomes a person at
// company.test.
import Provider from "oidc-provider";

const [port, origin, secret] = process.argv.slice(2);
const provider = new Provider(`http://127.0.0.1:${port}`, {
	clients: [
		{
			client_id: "planwright",
			client_secret: secret,
			redirect_uris: [`${origin}/session/oidc/company/callback`],
			post_logout_redirect_uris: [`${origin}/signin`],
		},
	],
	claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
	conformIdTokenClaims: false, // claims are in the ID token
	findAccount: (_, sub) => ({
		accountId: sub,
		claims: () => ({ sub, name: `${sub} Company`, email: `${sub.toLowerCase()}@company.test`, email_verified: true }),
	}),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
