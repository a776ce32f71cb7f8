/** Whether an account requires a second factor of its people: the owner sets it. */
import { get, put } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { useLoaded, Waiting } from "../app/loaded";
import { Block, savedAtOnce } from "./page_kit";

const CHOICES = ["", "optional", "required"] as const;

export function AccountFactor({ path }: { path: string }) {
	const of = useLoaded(async () => (await get<api.Account>(path, { fields: "second_factor" })).data, [path]);
	const choose = (word: string) => savedAtOnce(() => put(path, { second_factor: word || null }), of.again);
	return (
		<Block title={t("account.factor")} hint={t("account.factor_hint")}>
			{of.data ? (
				<label>
					{t("account.factor_who")}
					<select onChange={(event) => void choose(event.currentTarget.value)}>
						{CHOICES.map((word) => (
							<option key={word} value={word} selected={word === (of.data?.second_factor ?? "")}>
								{t(`account.factor_${word || "server"}`)}
							</option>
						))}
					</select>
				</label>
			) : (
				<Waiting of={of} />
			)}
		</Block>
	);
}
