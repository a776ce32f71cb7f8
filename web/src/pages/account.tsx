/** An account: its people, and what each may do in it. Without a number: all accounts of the user. */
import type { ComponentChildren } from "preact";
import { del, get, post, put, Refused } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { Missing } from "../app/parts";
import { go } from "../app/router";
import { loadMe, me } from "../app/session";
import { say } from "../app/toast";
import { useLoaded, Waiting } from "../app/loaded";
import { Block, confirm, Form, savedAtOnce, useAction, usePage } from "./kit";
import { AccountFactor } from "./account_factor";
import { AccountLinks } from "./account_links";
import { PersonLine } from "./person_line";
import { AccountTokens } from "./tokens";

interface Here {
	path: string;
	memberships: api.AccountMembership[];
	isAdmin: boolean;
	again: () => Promise<void>;
}

const RIGHTS = ["admin", "project_creator"] as const;

function remove(at: Here, m: api.AccountMembership): void {
	const name = m.person?.name ?? "";
	const isMe = m.id === me.peek()?.id;
	confirm({
		title: isMe ? t("account.leave") : t("members.remove_name", { name }),
		text: t("account.remove_text"),
		button: t(isMe ? "account.leave" : "page.remove"),
		act: async () => {
			await del(`${at.path}/memberships/${m.id}`);
			await loadMe();
			if (isMe) go("/dashboard");
			else await at.again();
		},
	});
}

function Row({ at, membership: m }: { at: Here; membership: api.AccountMembership }) {
	const isMe = m.id === me.value?.id;
	const change = (right: (typeof RIGHTS)[number], wanted: boolean) =>
		savedAtOnce(() => put(`${at.path}/memberships/${m.id}`, { [right]: wanted }), at.again);
	const goes = !m.owner && (at.isAdmin || isMe);
	return (
		<PersonLine person={m.person} remove={goes ? () => remove(at, m) : null} leave={isMe ? "account.leave" : null}>
			{m.owner && <span class="hint">{t("role.owner")}</span>}
			{!m.owner &&
				RIGHTS.map((right) => (
					<label class="check" key={right}>
						<input
							type="checkbox"
							aria-label={`${t(`account.${right}`)}: ${m.person?.name ?? ""}`}
							checked={m[right] ?? false}
							disabled={!at.isAdmin}
							onChange={(event) => void change(right, event.currentTarget.checked)}
						/>
						{t(`account.${right}`)}
					</label>
				))}
		</PersonLine>
	);
}

function Add({ at }: { at: Here }) {
	const action = useAction();
	const send = async (from: Record<string, string>, form: HTMLFormElement) => {
		const body: api.PostAccountsAccountMembershipsBody = { email: from.email ?? "" };
		if (from.name) body.name = from.name;
		for (const right of RIGHTS) if (from[right]) body[right] = true;
		await post(`${at.path}/memberships`, body);
		say(t("members.invited", { name: from.name || from.email || "" }));
		form.reset();
		await at.again();
	};
	return (
		<Block title={t("account.add")} hint={t("members.invite_hint")}>
			<Form action={action} submit={t("page.add")} send={send} class="row-form">
				<label>
					{t("field.email")}
					<input name="email" type="email" required maxLength={255} autocomplete="off" />
				</label>
				<label>
					{t("field.name")}
					<input name="name" maxLength={255} autocomplete="off" />
				</label>
				{RIGHTS.map((right) => (
					<label class="check" key={right}>
						<input type="checkbox" name={right} />
						{t(`account.${right}`)}
					</label>
				))}
			</Form>
		</Block>
	);
}

function Sheet({ children }: { children: ComponentChildren }) {
	return (
		<main class="page">
			<div class="sheet">{children}</div>
		</main>
	);
}

function One({ account }: { account: number }) {
	const path = `/accounts/${account}`;
	const of = useLoaded(async () => (await get<api.AccountMembership[]>(`${path}/memberships`)).data, [path]);
	usePage(me.value?.accounts?.find((a) => a.id === account)?.name ?? "");
	if (of.error instanceof Refused && !of.error.isPassing) return <Missing />;
	if (!of.data) return <Waiting of={of} />;
	const memberships = of.data;
	const mine = memberships.find((m) => m.id === me.value?.id);
	const at: Here = { path, memberships, isAdmin: Boolean(mine?.owner || mine?.admin), again: of.again };
	return (
		<Sheet>
			<Block title={t("account.people")} hint={t("account.hint")}>
				<ul class="lines">
					{memberships.map((m) => (
						<Row key={m.id} at={at} membership={m} />
					))}
				</ul>
			</Block>
			{at.isAdmin && <Add at={at} />}
			{mine?.owner && <AccountFactor path={path} />}
			{at.isAdmin && <AccountTokens path={path} />}
		</Sheet>
	);
}

function All() {
	usePage(t("accounts"));
	return (
		<Sheet>
			<AccountLinks />
		</Sheet>
	);
}

export default function AccountPage({ account }: { account?: number | undefined }) {
	return account === undefined ? <All /> : <One key={account} account={account} />;
}
