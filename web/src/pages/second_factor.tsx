/** The second factor: setting it up with a QR code, its recovery codes, turning it off. */
import { useState } from "preact/hooks";
import { del, get, post, put, Refused } from "../api/http";
import type * as api from "../api/types.gen";
import { t } from "../text/i18n";
import { useLoaded, Waiting, wordsOf } from "../app/loaded";
import { loadMe } from "../app/session";
import { say, warn } from "../app/toast";
import { focus } from "../ui/focus";
import { Block, copy, Form, useAction } from "./page_kit";
import { QrCode } from "./qr";

const PATH = "/my/second_factor";
const PROOF = { isProof: true };

/** If a request with a code is refused, the code may be the reason. */
async function withCode<T>(sent: Promise<T>, words: string): Promise<T> {
	try {
		return await sent;
	} catch (error) {
		if (!(error instanceof Refused) || !error.isSignedOut) throw error;
		throw new Refused(400, { general_problem: words }, 0);
	}
}

function PasswordField() {
	return (
		<label>
			{t("profile.present")}
			<input name="password" type="password" required autocomplete="current-password" />
		</label>
	);
}

/** A code from an authenticator, or a recovery code. */
export function CodeField({ isNext }: { isNext?: boolean }) {
	return (
		<label>
			{t("factor.code")}
			<input
				name="code"
				required
				maxLength={64}
				ref={isNext ? focus : null}
				autocomplete="one-time-code"
				autocapitalize="none"
				spellcheck={false}
			/>
		</label>
	);
}

function Begin({ done }: { done: (begun: api.Enrolment) => void }) {
	const action = useAction();
	const send = async ({ password }: Record<string, string>) =>
		done((await post<api.Enrolment>(PATH, { password }, PROOF)).data);
	return (
		<Form action={action} submit={t("factor.begin")} send={send} class="row-form">
			<PasswordField />
		</Form>
	);
}

function Confirm({ begun, done }: { begun: api.Enrolment; done: (codes: string[]) => void }) {
	const action = useAction();
	const send = async ({ code }: Record<string, string>) => {
		const sent = put<api.RecoveryCodes>(PATH, { code }, PROOF);
		done((await withCode(sent, t("factor.wrong_first"))).data.recovery_codes ?? []);
	};
	return (
		<>
			<p>{t("factor.scan")}</p>
			<QrCode text={begun.uri ?? ""} label={t("factor.qr")} />
			<p>
				{t("factor.by_hand")} <code class="spaced">{begun.secret?.replace(/(.{4})(?=.)/g, "$1 ")}</code>
			</p>
			<p>
				<a href={begun.uri}>{t("factor.link")}</a>
			</p>
			<Form action={action} submit={t("factor.confirm")} send={send} class="row-form">
				<CodeField isNext />
			</Form>
		</>
	);
}

function Codes({ codes, done }: { codes: string[]; done: () => void }) {
	return (
		<div class="print-alone" role="status">
			<p>{t("factor.codes_hint")}</p>
			<ul class="codes">
				{codes.map((code) => (
					<li key={code}>
						<code>{code}</code>
					</li>
				))}
			</ul>
			<p class="actions">
				<button type="button" ref={focus} onClick={() => void copy(codes.join("\n"))}>
					{t("factor.copy")}
				</button>
				<button type="button" onClick={() => print()}>
					{t("factor.print")}
				</button>
				<button type="button" class="primary" onClick={done}>
					{t("factor.kept")}
				</button>
			</p>
		</div>
	);
}

/** From the password to the recovery codes. */
export function SetUp({ done }: { done: () => void }) {
	const [begun, setBegun] = useState<api.Enrolment | null>(null);
	const [codes, setCodes] = useState<string[] | null>(null);
	if (codes) return <Codes codes={codes} done={done} />;
	if (!begun) return <Begin done={setBegun} />;
	return <Confirm begun={begun} done={setCodes} />;
}

function TurnOff({ left, done }: { left: number; done: () => void }) {
	const action = useAction();
	const send = async ({ password, code }: Record<string, string>) => {
		await withCode(del(PATH, { ...PROOF, body: { password, code } }), t("factor.wrong"));
		say(t("factor.is_off"));
		done();
	};
	return (
		<>
			<p>{t("factor.left", { n: left })}</p>
			<Form action={action} submit={t("factor.turn_off")} send={send} class="row-form" danger>
				<PasswordField />
				<CodeField />
			</Form>
		</>
	);
}

export function SecondFactorBlock() {
	const of = useLoaded(async () => (await get<api.SecondFactor>(PATH)).data, []);
	const again = () => {
		void of.again();
		loadMe().catch((error: unknown) => warn(wordsOf(error)));
	};
	const { enabled, policy, recovery_codes_left: left } = of.data ?? {};
	if (of.data && !enabled && policy === "off") return null;
	return (
		<Block title={t("factor")} hint={t(enabled ? "factor.hint_on" : "factor.hint")}>
			{!of.data && <Waiting of={of} />}
			{enabled && <TurnOff left={left ?? 0} done={again} />}
			{of.data && !enabled && <SetUp done={again} />}
		</Block>
	);
}
