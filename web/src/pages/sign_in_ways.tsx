/** The ways to sign in that this server offers. */
import { get } from "../api/http";
import { t } from "../text/i18n";
import { useLoaded } from "../app/loaded";

export interface Provider {
	name: string;
	label: string;
}

export interface Ways {
	password: boolean;
	/** The web server in front signs people in. */
	remote_user?: boolean;
	passkey?: boolean;
	providers: Provider[];
}

export const useWays = () => useLoaded(async () => (await get<Ways>("/session/options")).data, []);

/** Where that way leads after the sign-in: a path on this server, which the server checks again. */
const wayOf = (way: string, to: string): string => `/session/${way}?to=${encodeURIComponent(to)}`;

export function ProviderButtons({ ways: { providers, remote_user }, to }: { ways: Ways; to: string }) {
	return (
		<>
			{remote_user && (
				<a class="button wide" href={wayOf("remote_user", to)}>
					{t("signin.remote")}
				</a>
			)}
			{providers.map(({ name, label }) => (
				<a key={name} class="button wide" href={wayOf(`oidc/${name}`, to)}>
					{t("signin.with", { label })}
				</a>
			))}
		</>
	);
}
