/** Small pictures in the colour of the text. They say nothing that the word next to them does not say. */
const PATHS = {
	feature: "M8 1.8l1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.6l-3.8 2 .7-4.3-3.1-3 4.3-.6z",
	bug: "M5.5 5a2.5 2.5 0 0 1 5 0M4.5 6.5h7v3.5a3.5 3.5 0 0 1-7 0zM1.8 8.5h2.7M11.5 8.5h2.7M2.5 4.5l2.3 2M13.5 4.5l-2.3 2M2.5 13l2.5-2M13.5 13l-2.5-2M8 6.5v7",
	chore:
		"M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4",
	release: "M4 14.5v-13M4 2.5h8.5l-2 3 2 3H4",
	comment: "M2 2.5h12v8H8l-3.5 3v-3H2z",
	blocked: "M5.2 1.8h5.6l3.4 3.4v5.6l-3.4 3.4H5.2l-3.4-3.4V5.2zM5 8h6",
	review: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
	close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
	more: "M3 8h.01M8 8h.01M13 8h.01",
	plus: "M8 2.5v11M2.5 8h11",
	search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5l3.5 3.5",
	bell: "M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4zM6.5 13.5a1.5 1.5 0 0 0 3 0",
	person: "M8 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM2.5 14a5.5 5 0 0 1 11 0",
	menu: "M2 4h12M2 8h12M2 12h12",
	left: "M10 3.5L5.5 8l4.5 4.5",
	right: "M6 3.5L10.5 8 6 12.5",
	down: "M3.5 6l4.5 4.5L12.5 6",
	current: "M8 2v6l4 2M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13z",
	backlog: "M2.5 4h11M2.5 8h11M2.5 12h7",
	icebox: "M8 1.5v13M2.4 4.8l11.2 6.4M13.6 4.8L2.4 11.2",
	done: "M2.5 8.5l3.5 3.5 7.5-8",
	epics: "M3 2.5h10v4H3zM3 9.5h6v4H3z",
	label: "M2 2h6l6 6-6 6-6-6zM5 5h.01",
	history: "M2.5 8a5.5 5.5 0 1 0 1.8-4L2.5 5.5M2.5 2v3.5H6M8 5v3.5l2.5 1.5",
	work: "M2 5.5h12v8H2zM5.5 5.5v-2h5v2",
	chart: "M2.5 13.5h11M4.5 11V8M8 11V4M11.5 11V6",
	settings:
		"M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 3a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM5.5 10a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
	copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
	attach: "M10.5 4.5l-5 5a1.4 1.4 0 0 0 2 2l5.5-5.5a2.8 2.8 0 0 0-4-4L3.5 7.5a4.2 4.2 0 0 0 6 6l4-4",
	pencil: "M3 13l.8-3.2 6.9-6.9 2.4 2.4-6.9 6.9zM9.2 4.4l2.4 2.4",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
	const solid = name === "feature";
	return (
		<svg class={`icon icon-${name}`} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
			<path d={PATHS[name]} fill={solid ? "currentColor" : "none"} stroke="currentColor" />
		</svg>
	);
}
