/** The frame of every page for a signed-in user: projects, search, notifications, account. */
import type { ComponentChildren } from "preact";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { shownDialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import { Menu, shownMenu, type MenuItem } from "../ui/menu";
import { naturally, t } from "../text/i18n";
import { PALETTE, startKeys } from "./keys";
import { Palette } from "./lazy_parts";
import { mayLeave } from "./leaving";
import { go } from "./router";
import { me, signOut } from "./session";
import { warn } from "./toast";

/** What a page puts into the header: its name, and its own tools. */
export const headline = signal<ComponentChildren>(null);
export const tools = signal<ComponentChildren>(null);

function projectItems(): MenuItem[] {
	const projects = [...(me.value?.projects ?? [])];
	projects.sort((a, b) => naturally(a.project_name ?? "", b.project_name ?? ""));
	return [
		...projects.slice(0, 30).map((p) => ({ label: p.project_name ?? "", href: `/n/projects/${p.project_id}` })),
		{ label: t("all_projects"), href: "/dashboard" },
	];
}

async function leave(): Promise<void> {
	if (!mayLeave()) return;
	try {
		await signOut();
		go("/signin");
	} catch (error) {
		warn(error instanceof Error ? error.message : String(error));
	}
}

function Account() {
	const items: MenuItem[] = [
		{ label: me.value?.name ?? "", href: "/profile" },
		{ label: t("dashboard"), href: "/dashboard" },
		{ label: t("sign_out"), act: () => void leave() },
	];
	return (
		<Menu label={t("account")} items={items} class="quiet account" align="right">
			<Icon name="person" />
			<span class="account-name">{t("account")}</span>
		</Menu>
	);
}

interface ShellProps {
	bell: ComponentChildren;
	children: ComponentChildren;
}

export function Shell({ bell, children }: ShellProps) {
	useEffect(() => startKeys([PALETTE], () => (shownDialog.value = <Palette />) !== null), []);
	return (
		<div class="shell">
			<header class="top">
				<Menu label={t("projects")} items={projectItems} class="quiet brand">
					<Icon name="menu" />
				</Menu>
				<div class="headline">{headline.value}</div>
				<div class="tools">{tools.value}</div>
				{bell}
				<Account />
				{shownMenu.value}
			</header>
			{children}
		</div>
	);
}
