/** Types and states of stories: which exist, and which button leads to which state. */
import type { Project, State, Story, StoryType } from "./types";

export const STATES: readonly State[] = [
	"unscheduled",
	"unstarted",
	"planned",
	"started",
	"finished",
	"delivered",
	"rejected",
	"accepted",
];

export const TYPES: readonly StoryType[] = ["feature", "bug", "chore", "release"];

/** A button on a card, and the state that it leads to. */
export interface Step {
	name: "start" | "finish" | "deliver" | "accept" | "reject" | "restart";
	to: State;
}

export function scale(project: Pick<Project, "point_scale">): number[] {
	return project.point_scale
		.split(",")
		.map(Number)
		.filter((n) => !Number.isNaN(n));
}

export function isEstimatable(project: Project, type: StoryType): boolean {
	if (type === "feature") return true;
	return type !== "release" && project.bugs_and_chores_are_estimatable;
}

/** Whether it needs an estimate before work on it begins. */
export function needsEstimate(project: Project, story: Story): boolean {
	return story.estimate === null && isEstimatable(project, story.story_type);
}

export function statesOf(project: Project, type: StoryType): State[] {
	const own: Record<StoryType, State[]> = {
		feature: [...STATES],
		bug: [...STATES],
		chore: ["unscheduled", "unstarted", "started", "accepted"],
		release: ["unscheduled", "unstarted", "accepted"],
	};
	return own[type].filter((state) => state !== "planned" || !project.automatic_planning);
}

export function stepsOf(story: Story): Step[] {
	const { story_type: type, current_state: state } = story;
	if (state === "accepted") return [];
	if (type === "release") return [{ name: "finish", to: "accepted" }];
	switch (state) {
		case "started":
			return type === "chore" ? [{ name: "finish", to: "accepted" }] : [{ name: "finish", to: "finished" }];
		case "finished":
			return [{ name: "deliver", to: "delivered" }];
		case "delivered":
			return [
				{ name: "accept", to: "accepted" },
				{ name: "reject", to: "rejected" },
			];
		case "rejected":
			return [{ name: "restart", to: "started" }];
		default:
			return [{ name: "start", to: "started" }];
	}
}

export function blockersOf(story: Story): number {
	return story.blockers.filter((b) => !b.resolved).length;
}
