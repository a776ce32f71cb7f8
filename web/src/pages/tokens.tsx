/** Named tokens: the user's own, which they create and revoke, and those of others that reach an account. */
import { useState } from "preact/hooks";
import { get, post } from "../api/http";
import type * as api from "../api/types.gen";
import { formatTime, t, type Key } from "../text/i18n";
import { type Loaded, useLoaded, Waiting } from "../app/loaded";
import { me } from "../app/session";
import { closeDialog, Dialog, shownDialog } from "../ui/dialog";
import { Block, copy, Form, useAction } from "./page_kit";
import { RemoveButton } from "./remove_button";
import { DAY } from "../model/calendar";

const FIELDS = "name,scope,project_ids,projects(name),expires_at,last_used_at";
const MOST = 500;

type Listed = Pick<
	api.Token,
	"id" | "name" | "scope" | "project_ids" | "projects" | "not_accounts" | "expires_at" | "last_used_at"
> & {
	person?: api.Person;
};

function projectsOf({ project_ids: ids, projects = [], not_accounts: but }: Listed): string {
	if (!ids) return t(but ? "tokens.all_but" : "tokens.all", { names: but?.map((a) => a.name).join(", ") ?? "" });
	const names = projects.map((p) => p.name ?? "");
	if (ids.length > names.length) names.push(t("tokens.others", { n: ids.length - names.length }));
	return names.join(", ") || t("tokens.no_project");
}

/** "reads · Website, Shop · until 3 Nov 2026, 14:05 · never used" */
function aboutOf(token: Listed): string {
	const end = Date.parse(token.expires_at ?? "");
	const used = token.last_used_at;
	return [
		t(token.scope === "write" ? "tokens.write" : "tokens.read"),
		projectsOf(token),
		end && t(end > Date.now() ? "tokens.until" : "tokens.ended", { time: formatTime(end) }),
		used ? t("sessions.used", { time: formatTime(Date.parse(used)) }) : t("tokens.unused"),
	]
		.filter(Boolean)
		.join(" · ");
}

function Lines({ of, path, endText }: { of: Loaded<Listed[]>; path: string; endText: Key }) {
	if (!of.data) return <Waiting of={of} />;
	if (of.data.length === 0) return <p class="empty">{t("tokens.none")}</p>;
	return (
		<ul class="lines">
			{of.data.map((token) => (
				<li class="line" key={token.id}>
					<span class="name">
						<bdi>{token.name}</bdi>
						<span class="hint">
							{" "}
							{token.person && `${token.person.name} · `}
							{aboutOf(token)}
						</span>
					</span>
					<RemoveButton
						path={`${path}/${token.id}`}
						label={t("tokens.end_name", { name: token.name ?? "" })}
						text={t(endText)}
						words={t("sessions.end")}
						then={of.again}
					/>
				</li>
			))}
		</ul>
	);
}

/** The day in the reader's calendar, in the format of date fields. */
function dayOf(at: number): string {
	const date = new Date(at);
	return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** The end of a day in the reader's calendar. */
function endOf(day: string): string {
	const end = new Date(`${day}T00:00`);
	end.setDate(end.getDate() + 1);
	return end.toISOString();
}

function ProjectChoice() {
	const [some, setSome] = useState(false);
	return (
		<fieldset class="checks">
			<legend>{t("projects")}</legend>
			<label class="check">
				<input type="checkbox" checked={!some} onChange={(event) => setSome(!event.currentTarget.checked)} />
				{t("tokens.all_mine")}
			</label>
			{some && <input type="hidden" name="some" value="true" />}
			{some &&
				(me.value?.projects ?? []).map((m) => (
					<label class="check" key={m.id}>
						<input type="checkbox" name="project" value={m.project_id} />
						{m.project_name}
					</label>
				))}
		</fieldset>
	);
}

function Make({ made }: { made: (token: string) => unknown }) {
	const action = useAction();
	const send = async (from: Record<string, string>, form: HTMLFormElement) => {
		const body: api.PostMyTokensBody = { name: from.name ?? "", scope: from.scope === "write" ? "write" : "read" };
		if (from.some) body.project_ids = new FormData(form).getAll("project").map(Number);
		if (from.day) body.expires_at = endOf(from.day);
		const { data } = await post<api.Token>("/my/tokens", body);
		closeDialog();
		await made(data.token ?? "");
	};
	return (
		<Dialog title={t("tokens.new")} close={closeDialog}>
			<Form action={action} submit={t("tokens.make")} send={send}>
				<label>
					{t("field.name")}
					<input name="name" required maxLength={100} autocomplete="off" autofocus />
				</label>
				<label>
					{t("tokens.scope")}
					<select name="scope">
						<option value="read">{t("tokens.read")}</option>
						<option value="write">{t("tokens.write")}</option>
					</select>
				</label>
				<label>
					{t("tokens.day")}
					<input name="day" type="date" min={dayOf(Date.now())} max={dayOf(Date.now() + 3650 * DAY)} />
					<span class="hint">{t("tokens.day_hint")}</span>
				</label>
				<ProjectChoice />
			</Form>
		</Dialog>
	);
}

function Made({ token, hide }: { token: string; hide: () => void }) {
	return (
		<div role="status">
			<p>{t("tokens.made")}</p>
			<p class="secret">
				<code>{token}</code>
				<button type="button" onClick={() => void copy(token)}>
					{t("factor.copy")}
				</button>
				<button type="button" onClick={hide}>
					{t("profile.hide")}
				</button>
			</p>
		</div>
	);
}

const useTokens = (path: string, fields: string) =>
	useLoaded(async () => (await get<Listed[]>(path, { fields, limit: MOST })).data, [path, fields]);

/** On the profile. */
export function Tokens() {
	const path = "/my/tokens";
	const list = useTokens(path, `not_accounts(name),${FIELDS}`);
	const [token, setToken] = useState("");
	const made = (secret: string) => {
		setToken(secret);
		return list.again();
	};
	const ask = () => {
		shownDialog.value = <Make made={made} />;
	};
	const button = (
		<button type="button" onClick={ask}>
			{t("tokens.new")}
		</button>
	);
	return (
		<Block title={t("tokens")} hint={t("tokens.hint")} tools={button}>
			{token && <Made token={token} hide={() => setToken("")} />}
			<Lines of={list} path={path} endText="tokens.end_text" />
		</Block>
	);
}

/** On the page of an account, for those who administer it. */
export function AccountTokens({ path: account }: { path: string }) {
	const path = `${account}/tokens`;
	const list = useTokens(path, `person(name),${FIELDS}`);
	return (
		<Block title={t("tokens.account")} hint={t("tokens.account_hint")}>
			<Lines of={list} path={path} endText="tokens.account_end_text" />
		</Block>
	);
}
