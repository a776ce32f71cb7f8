/** A component that is rendered again only when one of its properties, or a signal that it reads, has changed. */
import { createElement, type Component, type ComponentChild, type FunctionComponent } from "preact";

export function memo<P extends object>(draw: (props: P) => ComponentChild): FunctionComponent<P> {
	const Inner = draw as FunctionComponent<P>;
	function Memo(this: Component<P>, props: P) {
		this.shouldComponentUpdate = (next) => differ(this.props as P, next as P);
		return createElement(Inner, props);
	}
	return Memo as unknown as FunctionComponent<P>;
}

function differ<P extends object>(a: P, b: P): boolean {
	const names = Object.keys(b) as (keyof P)[];
	return names.length !== Object.keys(a).length || names.some((name) => a[name] !== b[name]);
}
