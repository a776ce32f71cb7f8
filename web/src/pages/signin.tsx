/** Signs in, and returns the user to where they came from. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../api/http";
import { t } from "../text/i18n";
import { signIn } from "./entering";
import { enterByPasskey, mayHavePasskeys } from "./passkey";
import { ProviderButtons, useWays } from "./sign_in_ways";
import { ownPath, query } from "../app/router";
import { ended } from "../app/session";
import { focus } from "../ui/focus";

function words(error: unknown, hasCode: boolean): string {
	if (!(error instanceof Refused)) return t("signin.unreached");
	if (error.status === 429) return t("signin.too_often", { n: Math.max(error.retryAfter, 1) });
	if (error.isPassing) return t("signin.unreached");
	if (error.isSignedOut) return t(hasCode ? "signin.wrong_code" : "signin.wrong");
	return error.message;
}

const asksCode = (error: unknown): boolean => error instanceof Refused && error.body.code === "second_factor_required";

interface Demo {
	login: string;
	password: string;
}

/** Only ./run creates this file, and its server listens only on this host. */
function useDemo(): Demo | null {
	const [demo, setDemo] = useState<Demo | null>(null);
	useEffect(() => {
		if (!["127.0.0.1", "localhost", "[::1]"].includes(location.hostname)) return;
		fetch("/assets/demo.json", { cache: "no-store" })
			.then((answer) => (answer.ok ? answer.json() : null))
			.then(setDemo, () => {});
	}, []);
	return demo;
}

const fieldOf = (form: HTMLFormElement, name: string) => form.elements.namedItem(name) as HTMLInputElement;

function useSignIn() {
	const [problem, setProblem] = useState("");
	const [busy, setBusy] = useState(false);
	const [code, setCode] = useState(false);
	const submit = async (event: SubmitEvent) => {
		event.preventDefault();
		const form = event.currentTarget as HTMLFormElement;
		const data = new FormData(form);
		setBusy(true);
		setProblem("");
		try {
			const typed = data.get("code");
			await signIn(String(data.get("login")).trim(), String(data.get("password")), typed ? String(typed) : undefined);
		} catch (error) {
			setBusy(false);
			if (asksCode(error)) return setCode(true);
			setProblem(words(error, code));
			fieldOf(form, code ? "code" : "password").select();
		}
	};
	const back = () => {
		setCode(false);
		setProblem("");
	};
	const byPasskey = async () => {
		setBusy(true);
		setProblem("");
		try {
			await enterByPasskey();
		} catch (error) {
			setBusy(false);
			setProblem(error instanceof Refused && !error.isPassing ? error.message : words(error, false));
		}
	};
	return { problem, busy, code, submit, byPasskey, back };
}

/** Asked for once the password was right. */
function Code() {
	return (
		<>
			<label>
				{t("signin.code")}
				<input name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck={false} required ref={focus} />
			</label>
			<p class="hint">{t("signin.code_hint")}</p>
		</>
	);
}

interface FieldsProps {
	code: boolean;
	problem: string;
	busy: boolean;
	back: () => void;
	fill: (() => void) | null;
}

function Fields({ code, problem, busy, back, fill }: FieldsProps) {
	return (
		<>
			<div hidden={code}>
				<label>
					{t("signin.login")}
					<input name="login" autocomplete="username" autocapitalize="none" required ref={focus} />
				</label>
				<p class="hint">{t("signin.login_hint")}</p>
				<label>
					{t("signin.password")}
					<input name="password" type="password" autocomplete="current-password" required />
				</label>
			</div>
			{code && <Code />}
			<div role="alert">{problem && <p class="problem">{problem}</p>}</div>
			<button type="submit" class="primary" disabled={busy}>
				{t("sign_in")}
			</button>
			{code && (
				<button type="button" class="wide" onClick={back}>
					{t("signin.back")}
				</button>
			)}
			{fill && !code && (
				<button type="button" class="wide" onClick={fill}>
					{t("signin.demo")}
				</button>
			)}
			<p class="hint">
				<a href="/choose_password">{t("signin.forgotten")}</a>
			</p>
		</>
	);
}

export default function SignIn() {
	const demo = useDemo();
	const ways = useWays();
	const [typed, setTyped] = useState(false);
	const hasForm = (ways.data?.password ?? true) || typed;
	const form = useRef<HTMLFormElement>(null);
	const { problem, busy, code, submit, byPasskey, back } = useSignIn();
	const fill = () => {
		fieldOf(form.current!, "login").value = demo!.login;
		fieldOf(form.current!, "password").value = demo!.password;
	};
	document.title = `${t("sign_in")} – planwright`;
	return (
		<main class="signin">
			<form class="card-form" ref={form} onSubmit={submit}>
				<h1>planwright</h1>
				<div role="status">{ended.value && <p>{t("session_ended")}</p>}</div>
				{!code && mayHavePasskeys(ways.data) && (
					<button type="button" class="wide" disabled={busy} onClick={byPasskey}>
						{t("signin.passkey")}
					</button>
				)}
				{!code && ways.data && <ProviderButtons ways={ways.data} to={ownPath(query.value.get("next")) ?? "/"} />}
				{hasForm ? (
					<Fields code={code} problem={problem} busy={busy} back={back} fill={demo && fill} />
				) : (
					<p class="hint">
						<button type="button" class="link" onClick={() => setTyped(true)}>
							{t("signin.by_password")}
						</button>
					</p>
				)}
			</form>
		</main>
	);
}
