/** The ways to sign in that this server has. */
import { get } from "../api/http";
import { t } from "../text/i18n";
import { useLoaded } from "../app/loaded";

export interface Provider {
	name: string;
	label: string;
}

export interface Ways {
	password: boolean;
	/** Whom the web server in front signs in. */
	remote_user?: boolean;
	providers: Provider[];
}

export const useWays = () => useLoaded(async () => (await get<Ways>("/session/options")).data, []);

/** Where the page of that address leads after a sign-in: a path of this server, which looks at it again. */
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
