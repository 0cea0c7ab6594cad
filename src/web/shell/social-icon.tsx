/** The icon of a social network, from a separate SVG file; a globe for other URLs. Decorative: the link has the name. */
export function SocialIcon({ url }: { url: string }) {
  const name = /(facebook|instagram|youtube)|\b(x|twitter)\.com/.exec(url.split('/')[2] ?? '')
  return (
    <svg width={20} height={20} fill="none" stroke="currentColor" strokeWidth={2} aria-hidden="true">
      <use href={`/social-icons.svg#${name ? (name[1] ?? 'x') : 'globe'}`} />
    </svg>
  )
}
