import { Globe } from 'lucide-react'

/** Outlines on a grid of 24, by a part of the host name. */
const outlines: Record<string, string> = {
  facebook: 'M15 3h-2a4 4 0 0 0-4 4v14M6 12h8',
  instagram:
    'M7 3h10a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4H7a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM17 7v.01',
  youtube: 'M5 5h14a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3zM10 9v6l5-3z',
  tiktok: 'M14 3v12a4 4 0 1 1-4-4M14 3a5 5 0 0 0 5 5',
  't.me': 'M21 4 3 11l6 2 2 7 4-5 5 3zM9 13l9-7',
  telegram: 'M21 4 3 11l6 2 2 7 4-5 5 3zM9 13l9-7',
  discord: 'M4 6h16v12H9l-5 3zM9 12v.01M15 12v.01',
  whatsapp: 'M4 20l1-4a8 8 0 1 1 3 3zM9 9c0 4 2 6 6 6',
  'x.com': 'M4 4l16 16M20 4 4 20',
  twitter: 'M4 4l16 16M20 4 4 20',
}

/** The icon of a social network; a globe for other addresses. Decorative: the link has the name. */
export function SocialIcon({ url }: { url: string }) {
  const host = /^https?:\/\/([^/?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? ''
  const known = Object.keys(outlines).find(
    (part) => host === part || host.endsWith(`.${part}`) || host.includes(`${part}.com`),
  )
  if (!known) return <Globe size={20} />
  return (
    <svg
      viewBox="0 0 24 24"
      width={20}
      height={20}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={outlines[known]} />
    </svg>
  )
}
