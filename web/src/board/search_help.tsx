/** Helps with a search while it is typed: keys of the language, names in the project, and the hits so far. */
import type { RefObject } from "preact";
import { useEffect, useId, useLayoutEffect, useState } from "preact/hooks";
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import { namedStory, searchById, searchSoFar, typedAt } from "../model/query";
import { t } from "../text/i18n";
import { go } from "../app/router";
import { announce } from "../app/toast";
import { Listbox, walked, type Option } from "../ui/listbox";
import type { Board } from "./model";
import { revealing } from "./lazy_parts";
import { wordsFor, type Word } from "./search_words";

/** While somebody is typing, nothing is requested. */
const REST = 200;
const MOST = 8;
const FIELDS = "stories(stories(id,name,current_state))";

/** A story, in this project or another one. */
interface Hit extends Option {
	story: number;
	isElsewhere?: boolean;
}

function hitOf(board: Board, one: Pick<api.Story, "id" | "name" | "current_state">): Hit {
	const { id, name = "", current_state } = one;
	const state = board.store.peek(id)?.current_state ?? current_state;
	return { key: `story ${id}`, story: id, text: name, hint: `#${id} ${t(`state.${state}` as "state.started")}` };
}

/** What the text finds so far. */
async function look(board: Board, text: string, signal: AbortSignal): Promise<Hit[]> {
	const story = namedStory(text, location.origin);
	const query = story ? searchById(story.id) : searchSoFar(text);
	if (!query) return [];
	const { data } = await get<api.Search>(`/projects/${board.id}/search`, { query, fields: FIELDS }, { signal });
	const found = (data.stories?.stories ?? []).slice(0, MOST).map((one) => hitOf(board, one));
	if (found.length > 0 || !story || story.isNumber) return found;
	return [{ key: "elsewhere", story: story.id, isElsewhere: true, text: t("search.elsewhere"), hint: `#${story.id}` }];
}

/** Hits for the newest text only: requests for an older one are aborted. */
function useHits(board: Board, text: string): readonly Hit[] {
	const [hits, setHits] = useState<{ of: string; list: readonly Hit[] }>({ of: "", list: [] });
	useEffect(() => {
		if (!text) return;
		const known = board.store.peek(namedStory(text, location.origin)?.id ?? 0);
		if (known) return setHits({ of: text, list: [hitOf(board, known)] });
		const given = new AbortController();
		const timer = setTimeout(() => {
			look(board, text, given.signal).then(
				(list) => {
					if (given.signal.aborted) return;
					setHits({ of: text, list });
					announce(t("search.suggested", { n: list.length }));
				},
				() => {}, // An error is shown when the search is run.
			);
		}, REST);
		return () => {
			clearTimeout(timer);
			given.abort();
		};
	}, [board, text]);
	return hits.of === text ? hits.list : [];
}

interface Help {
	board: Board;
	field: RefObject<HTMLInputElement | null>;
}

/** The text of the field, and whether its list is open. */
function useTyped({ field }: Help) {
	const [text, setText] = useState(field.current?.value ?? "");
	const [open, setOpen] = useState(text !== "");
	const [active, setActive] = useState(-1);
	const show = (now: boolean) => {
		setOpen(now);
		setActive(-1);
	};
	const read = () => {
		setText(field.current!.value);
		show(true);
	};
	return { text, open, active, setActive, show, read };
}

type Listener = [string, (event: never) => void];

/** Sets the field's ARIA attributes, which name the list and its active row by id, and listens to its events. */
function useField({ field }: Help, said: { expanded: string | false; active: string | false }, events: Listener[]) {
	useLayoutEffect(() => {
		const node = field.current!;
		const set = (name: string, value: string | false) =>
			value === false ? node.removeAttribute(name) : node.setAttribute(name, value);
		set("aria-expanded", String(said.expanded !== false));
		set("aria-controls", said.expanded);
		set("aria-activedescendant", said.active);
		const away = events.at(-1)![1] as EventListener;
		for (const [name, act] of events) node.addEventListener(name, act as EventListener);
		node.form!.addEventListener("submit", away);
		return () => {
			for (const [name, act] of events) node.removeEventListener(name, act as EventListener);
			node.form?.removeEventListener("submit", away);
		};
	});
}

export default function SearchHelp(props: Help) {
	const { board, field } = props;
	const id = useId();
	const { text, open, active, setActive, show, read } = useTyped(props);
	const hits = useHits(board, open ? text.trim() && text : "");
	const typed = typedAt(text, field.current?.selectionEnd ?? text.length);
	const options: (Word | Hit)[] = open ? [...wordsFor(board, typed), ...hits] : [];
	const chosen = options[active];

	const complete = ({ insert }: Word) => {
		const node = field.current!;
		const at = node.selectionEnd ?? node.value.length;
		node.setRangeText(insert, typed.from, at, "end");
		read();
		// A value is complete; after a key, its values are offered next.
		if (insert.endsWith(" ")) show(false);
	};
	const choose = (option: Option) => {
		if ("insert" in option) return complete(option as Word);
		const { story, isElsewhere } = option as Hit;
		show(false);
		field.current!.blur();
		if (isElsewhere) go(`/story/show/${story}`);
		else void revealing.load().then((reveal) => reveal(board, { story }));
	};
	const pressed = (event: KeyboardEvent) => {
		if (event.isComposing) return;
		const next = event.key === "ArrowUp" && active < 0 ? options.length - 1 : walked(event.key, active, options.length);
		if (event.key === "Tab") {
			if (chosen && "insert" in chosen) complete(chosen);
			return show(false);
		}
		if (next !== null && options.length > 0) setActive(next);
		else if (event.key === "ArrowDown") read();
		else if (event.key === "Enter" && chosen) choose(chosen);
		else if (event.key === "Escape" && options.length > 0) show(false);
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	useField(props, { expanded: options.length > 0 && id, active: chosen !== undefined && `${id}-${active}` }, [
		["input", read],
		["click", read],
		["keydown", pressed],
		["blur", () => show(false)],
	]);
	if (options.length === 0) return null;
	return (
		<Listbox id={id} label={t("search.suggestions")} options={options} active={active} anchor={field} choose={choose} />
	);
}
