/** The people of a project: who they are, what they may do, and how to invite more. */
import { put } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { me } from "../app/session";
import { useColleagues } from "./colleagues";
import { Block, savedAtOnce } from "./page_kit";
import { AddPerson, PersonLine } from "./people";
import { ProjectFrame, type Here, type ProjectProps } from "./project_frame";

type Role = "owner" | "member" | "viewer";
const ROLES: readonly Role[] = ["owner", "member", "viewer"];

export function RoleSelect(props: { label: string; value: Role; name?: string; change?: (role: Role) => void }) {
	const { label, value, name, change } = props;
	return (
		<select
			aria-label={label}
			name={name}
			value={value}
			onChange={change && ((event) => change(event.currentTarget.value as Role))}
		>
			{ROLES.map((role) => (
				<option key={role} value={role}>
					{t(`role.${role}`)}
				</option>
			))}
		</select>
	);
}

function setRole(at: Here, m: api.ProjectMembership, role: Role): Promise<boolean> {
	const words = t("members.changed", { name: m.person?.name ?? "", role: t(`role.${role}`) });
	return savedAtOnce(() => put(`${at.path}/memberships/${m.id}`, { role }), at.again, words);
}

function Row({ at, membership: m }: { at: Here; membership: api.ProjectMembership }) {
	const isMe = m === at.mine;
	const role = m.role ?? "member";
	return (
		<PersonLine
			of={m}
			at={at}
			goes={at.isOwner || isMe}
			text={isMe ? "members.leave_text" : "members.remove_text"}
			leave={isMe ? "members.leave" : null}
		>
			{at.isOwner ? (
				<RoleSelect
					key={role}
					label={t("members.role_of", { name: m.person?.name ?? "" })}
					value={role}
					change={(next) => void setRole(at, m, next)}
				/>
			) : (
				<span class="hint">{t(`role.${role}`)}</span>
			)}
		</PersonLine>
	);
}

/** What each role may do. */
function Rights() {
	return (
		<dl class="roles hint">
			{ROLES.map((role) => (
				<div key={role}>
					<dt>{t(`role.${role}`)}</dt>
					<dd>{t(`role.${role}_may`)}</dd>
				</div>
			))}
		</dl>
	);
}

function Invite({ at }: { at: Here }) {
	const colleagues = useColleagues(at);
	return (
		<AddPerson
			at={at}
			title="members.invite"
			submit="members.add"
			known={colleagues}
			rights={(from) => ({ role: from.role })}
			more={<Rights />}
		>
			<label>
				{t("field.role")}
				<RoleSelect label={t("field.role")} name="role" value="member" />
			</label>
		</AddPerson>
	);
}

/** Settings that all people choose for themselves. */
function Mine({ at }: { at: Here }) {
	const { mine } = at;
	if (!mine) return null;
	const turn = (wanted: boolean) => {
		const body = { will_receive_mention_notifications_or_emails: wanted };
		return savedAtOnce(() => put(`${at.path}/memberships/${mine.id}`, body), at.again);
	};
	return (
		<Block title={t("members.mine")}>
			<label class="check">
				<input
					type="checkbox"
					checked={mine.will_receive_mention_notifications_or_emails ?? true}
					onChange={(event) => void turn(event.currentTarget.checked)}
				/>
				{t("members.mails")}
			</label>
		</Block>
	);
}

function Members({ at }: { at: Here }) {
	const people = [...at.memberships].sort((a, b) => (a.person?.name ?? "").localeCompare(b.person?.name ?? ""));
	return (
		<>
			<Block title={t("tab.members")} hint={me.value && !at.isOwner && t("members.owners_do")}>
				<ul class="lines">
					{people.map((m) => (
						<Row key={m.id} at={at} membership={m} />
					))}
				</ul>
			</Block>
			{at.isOwner && <Invite at={at} />}
			<Mine at={at} />
		</>
	);
}

export default function MembersPage({ project }: ProjectProps) {
	return (
		<ProjectFrame project={project} part="members">
			{(at) => <Members at={at} />}
		</ProjectFrame>
	);
}
