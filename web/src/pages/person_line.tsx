/** A person in the list of a project's members or of an account's people. */
import type { ComponentChildren } from "preact";
import type * as api from "../api/types.gen";
import { t, type Key } from "../text/i18n";
import { Avatar } from "../ui/avatar";

interface PersonLineProps {
	person: api.Person | undefined;
	/** Null: this person stays. */
	remove: (() => void) | null;
	/** What the button says to who goes by themselves; null: another person is removed. */
	leave: Key | null;
	/** What they may do. */
	children: ComponentChildren;
}

export function PersonLine({ person, remove, leave, children }: PersonLineProps) {
	const { name = "", initials = "", username = "", email = "" } = person ?? {};
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
			{remove && (
				<button type="button" aria-label={leave ? t(leave) : t("members.remove_name", { name })} onClick={remove}>
					{t(leave ? "members.leave_short" : "page.remove")}
				</button>
			)}
		</li>
	);
}
