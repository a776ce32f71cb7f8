/** The people of a project or of an account: one line each, who can be removed or leave, and how to add others. */
import type { ComponentChildren } from "preact";
import { post } from "../api/http";
import type * as api from "../api/types.gen";
import { t, type Key } from "../text/i18n";
import { go } from "../app/router";
import { loadMe } from "../app/session";
import { say } from "../app/toast";
import { Avatar } from "../ui/avatar";
import { Block, Form, useAction } from "./page_kit";
import { RemoveButton } from "./remove_button";

/** What they belong to. */
interface Place {
	path: string;
	again: () => Promise<void>;
}

interface PersonLineProps {
	/** The membership. */
	of: { id: number; person?: api.Person };
	at: Place;
	/** Whether this person may be removed, or leave. */
	goes: boolean;
	/** What that means, shown before it is confirmed. */
	text: Key;
	/** The button's text for people who leave by themselves; null: another person is removed. */
	leave: Key | null;
	/** What they may do. */
	children: ComponentChildren;
}

export function PersonLine({ of, at, goes, text, leave, children }: PersonLineProps) {
	const { name = "", initials = "", username = "", email = "" } = of.person ?? {};
	const gone = async () => {
		await loadMe();
		if (leave) go("/dashboard");
		else await at.again();
	};
	return (
		<li class="line">
			<Avatar name={name} initials={initials} />
			<span class="name">
				{name}
				<span class="hint">
					{" "}
					@{username}
					{email && ` · ${email}`}
				</span>
			</span>
			{children}
			{goes && (
				<RemoveButton
					path={`${at.path}/memberships/${of.id}`}
					label={leave ? t(leave) : t("members.remove_name", { name })}
					text={t(text)}
					words={t(leave ? "members.leave_short" : "page.remove")}
					confirmWords={t(leave ?? "page.remove")}
					then={gone}
				/>
			)}
		</li>
	);
}

interface AddPersonProps {
	at: Place;
	title: Key;
	submit: Key;
	/** People to choose from, with their addresses. */
	known?: readonly api.Person[];
	/** Reads from the form what the new person may do. */
	rights: (from: Record<string, string>) => object;
	/** The fields that ask for it. */
	children: ComponentChildren;
	/** Shown below the form. */
	more?: ComponentChildren;
}

/** Adds a known person, or invites an address. */
export function AddPerson({ at, title, submit, known, rights, children, more }: AddPersonProps) {
	const action = useAction();
	const send = async (from: Record<string, string>, form: HTMLFormElement) => {
		const { email = "", name = "" } = from;
		const person = known?.find((p) => p.email === email);
		// By the address, even of a colleague: the server knows whether it is theirs.
		const who = name ? { email, name } : { email };
		await post(`${at.path}/memberships`, { ...rights(from), ...who });
		say(t(person ? "members.added" : "members.invited", { name: person?.name || name || email }));
		form.reset();
		await at.again();
	};
	return (
		<Block title={t(title)} hint={t("members.invite_hint")}>
			<Form action={action} submit={t(submit)} send={send} class="row-form">
				<label>
					{t("field.email")}
					<input name="email" type="email" required maxLength={255} list={known && "colleagues"} autocomplete="off" />
				</label>
				{known && (
					<datalist id="colleagues">
						{known.map((p) => (
							<option key={p.id} value={p.email}>
								{p.name}
							</option>
						))}
					</datalist>
				)}
				<label>
					{t("field.name")}
					<input name="name" maxLength={255} autocomplete="off" />
				</label>
				{children}
			</Form>
			{more}
		</Block>
	);
}
