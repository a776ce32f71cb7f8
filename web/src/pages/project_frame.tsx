/** The frame of a project's pages: its name, and what the user may do. */
import type { ComponentChildren } from "preact";
import { get, Refused } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { Missing } from "../app/lazy_parts";
import type { ProjectPage } from "../app/router";
import { me } from "../app/session";
import { useLoaded, Waiting, type Loaded } from "../app/loaded";
import { usePage } from "./page_kit";

export interface ProjectProps {
	project: number;
}

export interface Here {
	id: number;
	path: string;
	project: api.Project;
	memberships: api.ProjectMembership[];
	mine: api.ProjectMembership | undefined;
	/** Whether the user may change settings and people. */
	isOwner: boolean;
	canWrite: boolean;
	again: () => Promise<void>;
}

const FIELDS = ":default,account(name),memberships(:default,person)";

function useProject(id: number): Loaded<api.Project> {
	return useLoaded(async () => (await get<api.Project>(`/projects/${id}`, { fields: FIELDS })).data, [id]);
}

function here(of: Loaded<api.Project>): Here {
	const project = of.data!;
	const memberships = project.memberships ?? [];
	const mine = memberships.find((m) => (m.person?.id ?? m.person_id) === me.value?.id);
	return {
		id: project.id,
		path: `/projects/${project.id}`,
		project,
		memberships,
		mine,
		isOwner: mine?.role === "owner",
		canWrite: mine?.role === "owner" || mine?.role === "member",
		again: of.again,
	};
}

interface FrameProps extends ProjectProps {
	part: ProjectPage;
	children: (here: Here) => ComponentChildren;
}

export function ProjectFrame({ project, part, children }: FrameProps) {
	const of = useProject(project);
	usePage(t(`tab.${part}`), of.data?.name);
	if (of.error instanceof Refused && (of.error.status === 403 || of.error.status === 404)) return <Missing />;
	return (
		<main class="page">
			<div class="sheet">{of.data ? children(here(of)) : <Waiting of={of} />}</div>
		</main>
	);
}
