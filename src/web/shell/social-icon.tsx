/** Outlines on a grid of 24, by a part of the host name. */
const outlines: Record<string, string> = {
  facebook: 'M15 3h-2a4 4 0 0 0-4 4v14M6 12h8',
  instagram: 'M4 4h16v16H4zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  youtube: 'M2 5h20v14H2zM10 9v6l5-3z',
  twitter: 'M4 4l16 16M20 4 4 20',
  'x.com': 'M4 4l16 16M20 4 4 20',
}
const globe = 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c-5 5-5 13 0 18 5-5 5-13 0-18'

/** The icon of a social network; a globe for other addresses. Decorative: the link has the name. */
export function SocialIcon({ url }: { url: string }) {
  const host = url.split('/')[2] ?? ''
  const [, outline = globe] = Object.entries(outlines).find(([part]) => host.includes(part)) ?? []
  return (
    <svg
      viewBox="0 0 24 24"
      width={20}
      height={20}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      aria-hidden="true"
    >
      <path d={outline} />
    </svg>
  )
}
