/** Where a second factor is required: people who have none see this instead of everything else. */
import { mustEnrol } from "../api/http";
import { t } from "../text/i18n";
import { wordsOf } from "../app/loaded";
import { go } from "../app/router";
import { loadMe, signOut } from "../app/session";
import { warn } from "../app/toast";
import { Block } from "./page_kit";
import { SetUp } from "./second_factor";

async function leave(): Promise<void> {
	try {
		await signOut();
		mustEnrol.value = false;
		go("/signin");
	} catch (error) {
		warn(wordsOf(error));
	}
}

/** Loads the user again: before the enrolment, the server listed no projects. */
async function enter(): Promise<void> {
	await loadMe().catch((error: unknown) => warn(wordsOf(error)));
	mustEnrol.value = false;
}

export default function Enrol() {
	document.title = `${t("factor")} – planwright`;
	const out = (
		<button type="button" onClick={() => void leave()}>
			{t("sign_out")}
		</button>
	);
	return (
		<main class="page">
			<div class="sheet">
				<h1>planwright</h1>
				<Block title={t("factor")} hint={t("factor.required")} tools={out}>
					<SetUp done={() => void enter()} />
				</Block>
			</div>
		</main>
	);
}
