/** Export: everything in a project, or its stories as a table. */
import { useState } from "preact/hooks";
import { get, ROOT } from "../api/http";
import { t } from "../text/i18n";
import { Block, Problem, useAction } from "./page_kit";
import { ProjectFrame, type Here, type ProjectProps } from "./project_frame";

/** Checks the search here, because a download that fails shows nothing on the page. */
function Csv({ at }: { at: Here }) {
	const action = useAction();
	const [filter, setFilter] = useState("");
	const wanted = filter.trim();
	const address = `${ROOT}${at.path}/stories.csv${wanted ? `?filter=${encodeURIComponent(wanted)}` : ""}`;
	const fetchIt = (event: Event) => {
		event.preventDefault();
		void action.run(async () => {
			if (wanted) await get(`${at.path}/stories`, { filter: wanted, limit: 0 });
			const link = document.createElement("a");
			link.href = address;
			link.download = "";
			link.click();
		});
	};
	return (
		<Block title={t("export.csv")} hint={t("export.csv_hint")}>
			<form onSubmit={fetchIt}>
				<div class="row-form">
					<label>
						{t("export.filter")}
						<input
							value={filter}
							placeholder="label:shop state:unstarted"
							onInput={(event) => setFilter(event.currentTarget.value)}
						/>
					</label>
					<a class="button" href={address} download onClick={fetchIt}>
						{t("export.csv_get")}
					</a>
				</div>
				<Problem of={action} />
			</form>
		</Block>
	);
}

function Zip({ at }: { at: Here }) {
	return (
		<Block title={t("export.zip")} hint={t("export.zip_hint")}>
			{at.isOwner ? (
				<p>
					<a class="button" href={`${ROOT}${at.path}/export.zip`} download>
						{t("export.zip_get")}
					</a>
				</p>
			) : (
				<p>{t("members.owners_do")}</p>
			)}
		</Block>
	);
}

export default function ExportPage({ project }: ProjectProps) {
	return (
		<ProjectFrame project={project} part="export">
			{(at) => (
				<>
					<Zip at={at} />
					<Csv at={at} />
				</>
			)}
		</ProjectFrame>
	);
}
