/** The board that a panel or a card belongs to; several may stand side by side. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Board } from "./model";

const BoardContext = createContext<Board | null>(null);

export const BoardProvider = BoardContext.Provider;

export function useBoard(): Board {
	const board = useContext(BoardContext);
	if (!board) throw new Error("a part of a board stands outside of it");
	return board;
}
