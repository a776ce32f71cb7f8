/** Settings of a project; only those that were changed are sent. */
import { del, put } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { go } from "../app/router";
import { loadMe } from "../app/session";
import { say } from "../app/toast";
import { Block, confirm, Form, useAction } from "./page_kit";
import { ProjectFrame, type Here, type ProjectProps } from "./project_frame";
import { ReviewTypes } from "./review_types";
import { ZoneField } from "./zone";

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
const SCALES = ["0,1,2,3", "0,1,2,4,8", "0,1,2,3,5,8"] as const;
const SWITCHES = [
	"automatic_planning",
	"bugs_and_chores_are_estimatable",
	"enable_tasks",
	"show_story_priority",
	"public",
] as const;
const NUMBERS = [
	["iteration_length", 1, 4],
	["initial_velocity", 1, 999],
	["velocity_averaged_over", 1, 4],
	["number_of_done_iterations_to_show", 0, 20],
] as const;

/** 1 January 2024 was a Monday. */
function dayName(at: number): string {
	return new Intl.DateTimeFormat(document.documentElement.lang, { weekday: "long", timeZone: "UTC" }).format(
		Date.UTC(2024, 0, 1 + at),
	);
}

function changes(from: Record<string, string>, old: api.Project): api.PutProjectsProjectBody {
	const body: Record<string, unknown> = {};
	const put = (name: string, value: unknown, before: unknown) => {
		if (value !== before) body[name] = value;
	};
	put("name", from.name, old.name);
	put("description", from.description || null, old.description || null);
	put("point_scale", from.point_scale, old.point_scale);
	put("week_start_day", from.week_start_day, old.week_start_day);
	put("start_date", from.start_date || null, old.start_date || null);
	put("time_zone", from.time_zone, old.time_zone?.olson_name);
	for (const [name] of NUMBERS) put(name, Number(from[name]), old[name]);
	for (const name of SWITCHES) put(name, from[name] === "on", old[name] ?? false);
	return body as api.PutProjectsProjectBody;
}

function ScaleField({ value }: { value: string }) {
	return (
		<label>
			{t("set.point_scale")}
			<input name="point_scale" required pattern="[0-9]+( *, *[0-9]+)*" defaultValue={value} list="scales" />
			<datalist id="scales">
				{SCALES.map((scale) => (
					<option key={scale} value={scale} />
				))}
			</datalist>
			<span class="hint">{t("set.point_scale_hint")}</span>
		</label>
	);
}

function Planning({ project }: { project: api.Project }) {
	return (
		<fieldset>
			<legend>{t("set.planning")}</legend>
			<div class="grid">
				<ScaleField value={project.point_scale ?? ""} />
				{NUMBERS.map(([name, min, max]) => (
					<label key={name}>
						{t(`set.${name}`)}
						<input name={name} type="number" required min={min} max={max} defaultValue={String(project[name] ?? "")} />
					</label>
				))}
				<label>
					{t("set.week_start_day")}
					<select name="week_start_day" defaultValue={project.week_start_day}>
						{DAYS.map((day, at) => (
							<option key={day} value={day} selected={day === project.week_start_day}>
								{dayName(at)}
							</option>
						))}
					</select>
				</label>
				<label>
					{t("set.start_date")}
					<input name="start_date" type="date" defaultValue={project.start_date ?? ""} />
				</label>
				<ZoneField value={project.time_zone?.olson_name ?? "Etc/UTC"} />
			</div>
		</fieldset>
	);
}

function General({ at }: { at: Here }) {
	const { project } = at;
	const action = useAction();
	const send = async (from: Record<string, string>) => {
		const body = changes(from, project);
		if (Object.keys(body).length > 0) await put(at.path, body);
		say(t("page.saved"));
		if (body.name) await loadMe();
		await at.again();
	};
	return (
		<Block title={t("settings")} hint={!at.isOwner && t("members.owners_do")}>
			<Form action={action} submit={at.isOwner ? t("save") : ""} send={send}>
				<fieldset disabled={!at.isOwner} class="bare">
					<label>
						{t("field.name")}
						<input name="name" required maxLength={50} defaultValue={project.name} />
					</label>
					<label>
						{t("set.description")}
						<textarea name="description" rows={3} maxLength={140} defaultValue={project.description ?? ""} />
					</label>
					<Planning project={project} />
					<fieldset>
						<legend>{t("set.how")}</legend>
						{SWITCHES.map((name) => (
							<label class="check" key={name}>
								<input type="checkbox" name={name} defaultChecked={project[name] ?? false} />
								{t(`set.${name}`)}
							</label>
						))}
					</fieldset>
				</fieldset>
			</Form>
		</Block>
	);
}

function Removal({ at }: { at: Here }) {
	const name = at.project.name ?? "";
	const remove = () =>
		confirm({
			title: t("set.delete"),
			text: t("set.delete_text", { name }),
			button: t("set.delete"),
			word: name,
			act: async () => {
				await del(at.path);
				await loadMe();
				go("/dashboard");
			},
		});
	return (
		<Block title={t("set.delete")} hint={t("set.delete_hint")}>
			<p class="actions">
				<button type="button" class="primary is-danger" onClick={remove}>
					{t("set.delete_button")}
				</button>
				<a href={`${at.path}/export`}>{t("set.export_first")}</a>
			</p>
		</Block>
	);
}

export default function SettingsPage({ project }: ProjectProps) {
	return (
		<ProjectFrame project={project} part="settings">
			{(at) => (
				<>
					<General at={at} />
					{at.isOwner && <ReviewTypes at={at} />}
					{at.isOwner && <Removal at={at} />}
				</>
			)}
		</ProjectFrame>
	);
}
