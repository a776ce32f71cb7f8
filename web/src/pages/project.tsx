/** The pages of a project other than its board, with links between them; each one is loaded when it is shown. */
import { useEffect, useRef } from "preact/hooks";
import { t } from "../text/i18n";
import { lazy } from "../app/lazy";
import type { ProjectPage } from "../app/router";
import { me } from "../app/session";
import Export from "./export";
import Import from "./import";
import Integrations from "./integrations";
import Labels from "./labels";
import Members from "./members";
import type { ProjectProps } from "./project_frame";
import Settings from "./settings";

const PAGES = {
	overview: lazy(() => import("../charts/overview"), "charts"),
	members: Members,
	labels: Labels,
	settings: Settings,
	integrations: Integrations,
	import: Import,
	export: Export,
};

function Tabs({ project, part }: ProjectProps & { part: ProjectPage }) {
	const role = me.value?.projects?.find((m) => m.project_id === project)?.role;
	const parts = (Object.keys(PAGES) as ProjectPage[]).filter(
		(word) => word !== "import" || role === "owner" || part === "import",
	);
	// On a phone the links are wider than the page.
	const bar = useRef<HTMLElement>(null);
	useEffect(() => {
		bar.current?.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
	}, [part]);
	return (
		<nav class="tabs" ref={bar} aria-label={t("page.of_project")}>
			<a href={`/n/projects/${project}`}>{t("tab.board")}</a>
			{parts.map((word) => (
				<a key={word} href={`/projects/${project}/${word}`} aria-current={word === part ? "page" : undefined}>
					{t(`tab.${word}`)}
				</a>
			))}
		</nav>
	);
}

export default function ProjectPages({ project, part }: ProjectProps & { part: ProjectPage }) {
	const Page = PAGES[part];
	return (
		<>
			<Tabs project={project} part={part} />
			<Page key={`${part} ${project}`} project={project} />
		</>
	);
}
