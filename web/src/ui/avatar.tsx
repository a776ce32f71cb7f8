/** A person's initials; the name is announced to screen readers and shown on hover. */
export function Avatar({ name, initials }: { name: string; initials: string }) {
	return (
		<span class="avatar" role="img" aria-label={name} title={name}>
			{initials}
		</span>
	);
}
