/** An account: its people, and what each may do in it. Without an id in the address: all accounts of the user. */
import type { ComponentChildren } from "preact";
import { get, put, Refused } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { Missing } from "../app/lazy_parts";
import { me } from "../app/session";
import { useLoaded, Waiting } from "../app/loaded";
import { Block, savedAtOnce, usePage } from "./page_kit";
import { AccountFactor } from "./account_factor";
import { AccountLinks } from "./account_links";
import { AddPerson, PersonLine } from "./people";
import { Audit } from "./audit";
import { AccountTokens } from "./tokens";

interface Here {
	path: string;
	memberships: api.AccountMembership[];
	isAdmin: boolean;
	again: () => Promise<void>;
}

const RIGHTS = ["admin", "project_creator"] as const;

function Row({ at, membership: m }: { at: Here; membership: api.AccountMembership }) {
	const isMe = m.id === me.value?.id;
	const change = (right: (typeof RIGHTS)[number], wanted: boolean) =>
		savedAtOnce(() => put(`${at.path}/memberships/${m.id}`, { [right]: wanted }), at.again);
	const goes = !m.owner && (at.isAdmin || isMe);
	return (
		<PersonLine of={m} at={at} goes={goes} text="account.remove_text" leave={isMe ? "account.leave" : null}>
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
	const rights = (from: Record<string, string>) =>
		Object.fromEntries(RIGHTS.filter((right) => from[right]).map((right) => [right, true]));
	return (
		<AddPerson at={at} title="account.add" submit="page.add" rights={rights}>
			{RIGHTS.map((right) => (
				<label class="check" key={right}>
					<input type="checkbox" name={right} />
					{t(`account.${right}`)}
				</label>
			))}
		</AddPerson>
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
			<Block
				title={t("account.people")}
				hint={t("account.hint")}
				tools={
					mine?.owner && (
						<a class="button" href={`${path}/audit`}>
							{t("audit")}
						</a>
					)
				}
			>
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

interface Props {
	account?: number | undefined;
	audit?: boolean | undefined;
}

export default function AccountPage({ account, audit }: Props) {
	if (account === undefined) return <All />;
	return audit ? <Audit key={account} account={account} /> : <One key={account} account={account} />;
}
