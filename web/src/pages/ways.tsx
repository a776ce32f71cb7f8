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
	providers: Provider[];
}

export const useWays = () => useLoaded(async () => (await get<Ways>("/session/options")).data, []);

/** Where the page of that address leads after a sign-in: a path of this server, which looks at it again. */
const wayOf = (name: string, to: string): string => `/session/oidc/${name}?to=${encodeURIComponent(to)}`;

export function ProviderButtons({ providers, to }: { providers: readonly Provider[]; to: string }) {
	return (
		<>
			{providers.map(({ name, label }) => (
				<a key={name} class="button wide" href={wayOf(name, to)}>
					{t("signin.with", { label })}
				</a>
			))}
		</>
	);
}
