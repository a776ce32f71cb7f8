/** The board that a panel or a card belongs to; a page may show several. */
import { signal } from "@preact/signals-core";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Board } from "./model";

const BoardContext = createContext<Board | null>(null);

export const BoardProvider = BoardContext.Provider;

const PanelContext = createContext("");

export const PanelProvider = PanelContext.Provider;

/** The key of the surrounding panel, as panelKey() makes it. */
export const usePanel = (): string => useContext(PanelContext);

/** The page's board; null: there is none, or there are several. */
export const here = signal<Board | null>(null);

export function useBoard(): Board {
	const board = useContext(BoardContext);
	if (!board) throw new Error("a part of a board stands outside of it");
	return board;
}
