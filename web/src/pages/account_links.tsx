/** The accounts that the user belongs to. */
import { t } from "../text/i18n";
import { me } from "../app/session";
import { Block } from "./page_kit";

export function AccountLinks() {
	return (
		<Block title={t("accounts")}>
			<ul class="lines">
				{(me.value?.accounts ?? []).map((a) => (
					<li class="line" key={a.id}>
						<a class="name" href={`/accounts/${a.id}`}>
							{a.name}
						</a>
					</li>
				))}
			</ul>
		</Block>
	);
}
