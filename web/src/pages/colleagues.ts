/** People of the account who are not in the project yet, if the user may see them. */
import { get } from "../api/http";
import type * as api from "../api/types.gen";
import { useLoaded } from "../app/loaded";
import type { Here } from "./project_frame";

export function useColleagues(at: Here): api.Person[] {
	const { account_id } = at.project;
	const found = useLoaded(
		async () => (await get<api.AccountMembership[]>(`/accounts/${account_id}/memberships`)).data,
		[account_id],
	);
	const inside = new Set(at.memberships.map((m) => m.person?.id));
	return (found.data ?? []).map((m) => m.person!).filter((p) => p && !inside.has(p.id));
}
