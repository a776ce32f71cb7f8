/** All projects of the person. */
import { useEffect } from "preact/hooks";
import { headline, tools } from "../app/shell";
import { t } from "../app/i18n";
import { me } from "../app/session";

export default function Dashboard() {
	useEffect(() => {
		headline.value = <h1>{t("dashboard")}</h1>;
		tools.value = null;
		document.title = `${t("dashboard")} – planwright`;
	}, []);
	const projects = me.value?.projects ?? [];
	if (me.value && projects.length === 0)
		return (
			<main class="notice">
				<p>{t("dashboard.none")}</p>
			</main>
		);
	return (
		<main class="page">
			<ul class="projects">
				{projects.map((p) => (
					<li key={p.id}>
						<a href={`/n/projects/${p.project_id}`}>{p.project_name}</a>
						<span class="hint">{p.role}</span>
					</li>
				))}
			</ul>
		</main>
	);
}
