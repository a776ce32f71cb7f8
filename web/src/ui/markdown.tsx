/**
 * Markdown as elements. No text is ever inserted as HTML: a lexer splits it, and each piece becomes an element or
 * plain text. Raw HTML, and links with unsafe schemes, are shown as typed.
 */
import { Lexer, type Token, type Tokens } from "marked";
import { createElement, type ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";

interface MarkdownProps {
	text: string;
	/** The address of "#7". */
	storyHref?: (id: number) => string;
}

type Look = Required<Pick<MarkdownProps, "storyHref">>;

/** An address that a link may have; null: not allowed. */
export function safeHref(href: string): string | null {
	try {
		const url = new URL(href, location.origin);
		return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
	} catch {
		return null;
	}
}

const isOwn = (href: string) => new URL(href).origin === location.origin;

function Anchor({ href, children }: { href: string; children: ComponentChildren }) {
	const away = isOwn(href) ? {} : { target: "_blank", rel: "noopener noreferrer nofollow" };
	return (
		<a href={href} {...away}>
			{children}
		</a>
	);
}

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
const unescaped = (text: string) => text.replace(/&(?:lt|gt|quot|#39|amp);/g, (word) => ENTITIES[word]!);

const REFERENCE =
	/(?<![\p{L}\p{N}_&/#])#(\d{1,10})(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_.])@[\p{L}\p{N}_][\p{L}\p{N}_.-]*/gu;

/** Text that may mention stories and people. */
function words(text: string, look: Look): ComponentChildren[] {
	const made: ComponentChildren[] = [];
	let at = 0;
	for (const found of text.matchAll(REFERENCE)) {
		made.push(text.slice(at, found.index));
		made.push(found[1] ? <a href={look.storyHref(Number(found[1]))}>{found[0]}</a> : <b class="mention">{found[0]}</b>);
		at = found.index + found[0].length;
	}
	return [...made, text.slice(at)];
}

function link(token: Tokens.Link, look: Look): ComponentChildren {
	const href = safeHref(token.href);
	return href ? <Anchor href={href}>{inline(token.tokens, { ...look })}</Anchor> : token.raw;
}

/** Pictures on this server are shown; others become links, so that no other server learns who reads the text. */
function image(token: Tokens.Image): ComponentChildren {
	const href = safeHref(token.href);
	if (!href) return token.raw;
	const name = token.text || href;
	return isOwn(href) ? <img src={href} alt={name} loading="lazy" /> : <Anchor href={href}>{name}</Anchor>;
}

function inline(tokens: readonly Token[] | undefined, look: Look): ComponentChildren[] {
	return (tokens ?? []).map((token) => piece(token, look));
}

function piece(token: Token, look: Look): ComponentChildren {
	switch (token.type) {
		case "strong":
		case "em":
		case "del":
			return createElement(token.type, null, inline(token.tokens, look));
		case "codespan":
			return <code>{token.text}</code>;
		case "br":
			return <br />;
		case "link":
			return link(token as Tokens.Link, look);
		case "image":
			return image(token as Tokens.Image);
		case "escape":
			return unescaped(token.text);
		case "text":
			return token.tokens ? inline(token.tokens, look) : words(unescaped(token.text), look);
		case "checkbox":
			return token.checked ? "☑ " : "☐ ";
		default:
			return token.raw;
	}
}

function list(token: Tokens.List, look: Look): ComponentChildren {
	const items = token.items.map((item, at) => (
		<li key={at}>
			{item.task && !item.tokens.some((t) => t.type === "checkbox") && (item.checked ? "☑ " : "☐ ")}
			{blocks(item.tokens, look)}
		</li>
	));
	return token.ordered ? <ol start={token.start === "" ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
}

function table(token: Tokens.Table, look: Look): ComponentChildren {
	return (
		<table>
			<thead>
				<tr>
					{token.header.map((cell, at) => (
						<th key={at} scope="col">
							{inline(cell.tokens, look)}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{token.rows.map((row, at) => (
					<tr key={at}>
						{row.map((cell, at) => (
							<td key={at}>{inline(cell.tokens, look)}</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	);
}

function block(token: Token, look: Look): ComponentChildren {
	switch (token.type) {
		case "space":
		case "def":
			return null;
		case "paragraph":
			return <p>{inline(token.tokens, look)}</p>;
		// Headings in a text must not be headings of the page.
		case "heading":
			return <p class={`heading is-${token.depth}`}>{inline(token.tokens, look)}</p>;
		case "code":
			return (
				<pre tabIndex={0}>
					<code>{token.text}</code>
				</pre>
			);
		case "blockquote":
			return <blockquote>{blocks(token.tokens, look)}</blockquote>;
		case "list":
			return list(token as Tokens.List, look);
		case "table":
			return table(token as Tokens.Table, look);
		case "hr":
			return <hr />;
		case "html":
			return <p class="plain">{token.raw.trimEnd()}</p>;
		default:
			return piece(token, look);
	}
}

function blocks(tokens: readonly Token[] | undefined, look: Look): ComponentChildren[] {
	return (tokens ?? []).map((token) => block(token, look));
}

export default function Markdown({ text, storyHref = (id) => `/story/show/${id}` }: MarkdownProps) {
	const tokens = useMemo(() => new Lexer({ gfm: true, breaks: true }).lex(text), [text]);
	return <div class="markdown">{blocks(tokens, { storyHref })}</div>;
}
