/** Catches errors while a page is rendered, so that the rest stays usable. */
import { Component, type ComponentChildren } from "preact";
import { t } from "../text/i18n";

export class Boundary extends Component<{ children: ComponentChildren }, { failed: boolean }> {
	override state = { failed: false };

	override componentDidCatch(error: unknown): void {
		console.error(error);
		this.setState({ failed: true });
	}

	override render() {
		if (!this.state.failed) return this.props.children;
		return (
			<main class="notice">
				<div role="alert">
					<h1>{t("broken.title")}</h1>
					<p>{t("broken.text")}</p>
				</div>
				<button type="button" onClick={() => location.reload()}>
					{t("broken.reload")}
				</button>
			</main>
		);
	}
}
