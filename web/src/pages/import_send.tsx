/** Chooses files and sends them, for a dry run or for good. */
import { useRef, useState } from "preact/hooks";
import { send as sendFiles, type Upload } from "../api/upload";
import type * as api from "../api/types.gen";
import { formatNumber, t } from "../text/i18n";
import { writeCsv } from "../model/csv";
import { Block, Problem, useAction } from "./page_kit";
import type { Here } from "./project_frame";

interface Props {
	at: Here;
	/** The map of people of the last import, as edited. */
	people: readonly (readonly string[])[];
	last: api.ProjectImport | undefined;
	sent: (id: number) => Promise<void>;
}

const SWITCHES = ["overwrite", "renumber"] as const;

function Options() {
	return (
		<details>
			<summary>{t("import.options")}</summary>
			{SWITCHES.map((name) => (
				<label class="check" key={name}>
					<input type="checkbox" name={name} value="true" />
					{t(`import.${name}`)}
				</label>
			))}
			<div class="grid">
				<label>
					{t("import.date_order")}
					<select name="date_order">
						<option value="">{t("import.by_itself")}</option>
						<option value="mdy">{t("import.mdy")}</option>
						<option value="dmy">{t("import.dmy")}</option>
					</select>
				</label>
				<label>
					{t("import.encoding")}
					<select name="encoding">
						<option value="">UTF-8</option>
						<option value="windows-1252">Windows-1252</option>
					</select>
				</label>
			</div>
		</details>
	);
}

function bodyOf(form: HTMLFormElement, files: readonly File[], dry: boolean, people: Props["people"]): FormData {
	const body = new FormData();
	for (const name of [...SWITCHES, "date_order", "encoding"]) {
		const value = new FormData(form).get(name);
		if (value) body.append(name, value);
	}
	body.append("dry_run", String(dry));
	if (people.length > 1) body.append("people", new Blob([writeCsv(people)], { type: "text/csv" }), "people.csv");
	for (const file of files) body.append("file", file, file.name);
	return body;
}

function size(files: readonly File[]): string {
	const mib = files.reduce((sum, file) => sum + file.size, 0) / 1048576;
	return `${formatNumber(Math.max(Math.round(mib * 10) / 10, 0.1))} MB`;
}

function Progress({ part, cancel }: { part: number; cancel: () => void }) {
	return (
		<p class="actions">
			<progress value={part} aria-label={t("import.sending")} />
			<button type="button" onClick={cancel}>
				{t("cancel")}
			</button>
		</p>
	);
}

interface ChooseProps {
	files: readonly File[];
	choose: (files: File[]) => void;
}

/** A field for files; files can also be dropped on it. */
function Choose({ files, choose }: ChooseProps) {
	const [over, setOver] = useState(false);
	const drop = (event: DragEvent) => {
		event.preventDefault();
		setOver(false);
		const dropped = [...(event.dataTransfer?.files ?? [])];
		if (dropped.length > 0) choose(dropped);
	};
	const drag = (event: DragEvent) => {
		event.preventDefault();
		setOver(true);
	};
	return (
		<div class={over ? "drop is-over" : "drop"} onDragOver={drag} onDragLeave={() => setOver(false)} onDrop={drop}>
			<label>
				{t("import.files")}
				<input type="file" multiple onChange={(event) => choose([...(event.currentTarget.files ?? [])])} />
			</label>
			<p class="hint" role="status">
				{files.length > 0 ? `${files.map((file) => file.name).join(", ")} (${size(files)})` : t("import.drop")}
			</p>
		</div>
	);
}

export function Send({ at, people, last, sent }: Props) {
	const action = useAction();
	const form = useRef<HTMLFormElement>(null);
	const [files, setFiles] = useState<readonly File[]>([]);
	const [part, setPart] = useState(0);
	const running = useRef<Upload<api.ProjectImport> | null>(null);
	const send = (dry: boolean) =>
		action.run(async () => {
			setPart(0);
			running.current = sendFiles(`${at.path}/imports`, bodyOf(form.current!, files, dry, people), setPart);
			try {
				await sent((await running.current.answer).id);
			} catch (error) {
				if (running.current) throw error;
			}
		});
	const cancel = () => {
		const going = running.current;
		running.current = null;
		going?.cancel();
	};
	const tried = last?.dry_run && (last.state === "done" || last.state === "lost");
	const none = files.length === 0 || action.busy;
	return (
		<Block title={t("tab.import")} hint={t("import.hint")}>
			<form ref={form} onSubmit={(event) => event.preventDefault()}>
				<Choose files={files} choose={setFiles} />
				<Options />
				<Problem of={action} />
				{action.busy && <Progress part={part} cancel={cancel} />}
				<p class="actions">
					<button type="button" class={tried ? "" : "primary"} disabled={none} onClick={() => void send(true)}>
						{t("import.try")}
					</button>
					<button type="button" class={tried ? "primary" : ""} disabled={none} onClick={() => void send(false)}>
						{t("import.import")}
					</button>
					{tried && files.length === 0 && <span class="hint">{t("import.again")}</span>}
				</p>
			</form>
		</Block>
	);
}
