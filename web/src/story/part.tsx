/** A part of the form of a story or an epic: its name, its tools, its content. */
import type { ComponentChildren } from "preact";

interface PartProps {
	title: string;
	/** The name for screen readers. */
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
