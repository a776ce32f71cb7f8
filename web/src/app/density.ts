/** How much space cards take on this device: as little as possible, or more. */
import { effect, signal } from "@preact/signals-core";

export const DENSITIES = ["dense", "comfortable"] as const;
export type Density = (typeof DENSITIES)[number];

const KEY = "planwright.density";

export const density = signal<Density>(localStorage.getItem(KEY) === "comfortable" ? "comfortable" : "dense");

effect(() => {
	document.documentElement.dataset.density = density.value;
	if (density.value === "dense") localStorage.removeItem(KEY);
	else localStorage.setItem(KEY, density.value);
});
