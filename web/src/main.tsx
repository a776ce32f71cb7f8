/** The start: finds out who is signed in, and which page the address stands for. */
import { render } from "preact";
import { effect, signal } from "@preact/signals";
import { startTexts, t } from "./text/i18n";
import { go, ownPath, query, route, startRouter, type Route } from "./app/router";
import { asked, forgetMe, loadMe, me } from "./app/session";
import { askAhead } from "./model/load";
import { WHO } from "./model/unsaved";
import { doubtful, mustEnrol, signedOut } from "./api/http";
import { Shell } from "./app/shell";
import { Toasts } from "./app/toast";
import { closeDialog, shownDialog } from "./ui/dialog";
import { Boundary } from "./app/errors";
import { Missing } from "./app/lazy_parts";
import { Account, Dashboard, Enrol, EpicPage, Profile, ProjectPages, SignIn, StoryPage, Workspace } from "./load_parts";
import { BoardPage } from "./board/board";
import { Failed } from "./app/failed";
import { lastBoard } from "./app/layout";
import { Bell } from "./notes/bell";

function page(at: Route) {
	switch (at.page) {
		case "board":
			return <BoardPage key={at.project} project={at.project} story={at.story} epic={at.epic} />;
		case "story":
			return <StoryPage story={at.story} project={at.project} />;
		case "epic":
			return <EpicPage epic={at.epic} />;
		case "home":
			return null;
		case "dashboard":
			return <Dashboard />;
		case "project":
			return <ProjectPages project={at.project} part={at.part} />;
		case "workspace":
			return <Workspace key={at.workspace} workspace={at.workspace} />;
		case "profile":
			return <Profile />;
		case "accounts":
			return <Account />;
		case "account":
			return <Account account={at.account} audit={at.audit} />;
		default:
			return <Missing />;
	}
}

/** There was no answer at the start. */
const unreached = signal(false);
const AGAIN = 5_000;

function Unreachable() {
	return (
		<main class="notice">
			<Failed again={know} />
		</main>
	);
}

/** Finds out who is signed in, and retries until it is known. */
async function know(): Promise<void> {
	try {
		await loadMe();
		unreached.value = false;
	} catch {
		unreached.value = true;
		setTimeout(() => unreached.peek() && void know(), AGAIN);
	}
}

/** A board loads while it is still being asked who is signed in; other pages show at once what the person may do. */
const opensEarly = (at: Route) => at.page === "board" || at.page === "story" || at.page === "epic";

function App() {
	const at = route.value;
	const isReady = me.value !== null || opensEarly(at);
	if (unreached.value) return <Unreachable />;
	if (at.page === "signin") return asked.value ? <SignIn /> : null;
	if (asked.value && !me.value) return at.page === "missing" ? <Missing /> : null;
	if (mustEnrol.value) return <Enrol />;
	return (
		<Shell bell={<Bell />}>
			<Boundary key={at.page === "board" ? at.project : location.pathname}>
				{isReady ? page(at) : <p class="loading">{t("loading")}</p>}
			</Boundary>
		</Shell>
	);
}

function Root() {
	return (
		<>
			<App />
			{shownDialog.value}
			<Toasts />
		</>
	);
}

/** Redirects a user who should not be at the address: to the sign-in page and back, or to the last board. */
function redirect(): void {
	const at = route.value;
	if (!asked.value) return;
	if (!me.value) {
		if (at.page === "signin" || at.page === "missing") return;
		const here = location.pathname + location.search;
		go(here === "/" ? "/signin" : `/signin?next=${encodeURIComponent(here)}`, "replace");
	} else if (at.page === "signin") go(ownPath(query.value.get("next")) ?? "/", "replace");
	else if (at.page === "home") {
		const board = lastBoard(me.value);
		go(board ? `/n/projects/${board}` : "/dashboard", "replace");
	}
}

async function start(): Promise<void> {
	startRouter();
	const session = know();
	const at = route.value;
	if (at.page === "board" && localStorage.getItem(WHO)) askAhead(at.project);
	await startTexts();
	effect(() => {
		if (signedOut.value > 0) forgetMe();
	});
	effect(() => {
		if (doubtful.value > 0) void loadMe().catch(() => {});
	});
	effect(redirect);
	// A dialog belongs to the page over which it was opened.
	effect(() => {
		route.value;
		closeDialog();
	});
	render(<Root />, document.body);
	await session;
}

void start();
