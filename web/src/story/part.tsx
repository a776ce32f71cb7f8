/** A part of a story's or an epic's form: what it is called, its tools, what is in it. */
import type { ComponentChildren } from "preact";

interface PartProps {
	title: string;
	/** What it is called by who cannot see it. */
	label?: string;
	tools?: ComponentChildren;
	children: ComponentChildren;
}

export function Part({ title, label = title, tools, children }: PartProps) {
	return (
		<div class="part" role="group" aria-label={label}>
			<header class="part-head">
				<h3>{title}</h3>
				{tools}
			</header>
			{children}
		</div>
	);
}
