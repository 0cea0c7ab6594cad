import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { cream, ink } from './mascot-shapes.ts'
import { textHash } from './text-hash.ts'

const bar = (name: string) => `var(--bar-${name})`

const schemes: readonly (readonly [ground: string, accent: string, letters: string])[] = [
  ['mustard', 'ember', ink],
  ['ember', 'mustard', ink],
  ['teal', 'cream', ink],
  ['lime', 'teal', ink],
  ['plum', 'ember', cream],
  ['cream', 'plum', ink],
  ['sky', 'cream', ink],
  ['mole', 'ember', cream],
  ['cream', 'teal', ink],
  ['plum', 'mustard', cream],
  ['mole', 'lime', cream],
  ['sky', 'plum', ink],
]

const dots = [0, 1, 2].flatMap((column) => [0, 1, 2, 3].map((row) => ({ column, row })))

const motifs: readonly ((fill: string) => ReactNode)[] = [
  (fill) => <circle cx="80" cy="14" r="32" fill={fill} />,
  (fill) => <path d="M52 62V31.5a24 31 0 0 1 48 0V62Z" fill={fill} />,
  (fill) => <path d="M58 62 100 20v17L75 62ZM88 62 100 50v12ZM58 33 91 0h-17L58 16Z" fill={fill} />,
  (fill) => (
    <g fill="none" stroke={fill} strokeWidth="6.5">
      <circle cx="100" r="16" />
      <circle cx="100" r="30" />
      <circle cx="100" r="44" />
    </g>
  ),
  (fill) => <path d="M62 62V0h20v62ZM88 62V0h6v62Z" fill={fill} />,
  (fill) => <path d="M62 0h38v62A62 62 0 0 1 62 0Z" fill={fill} />,
  (fill) => (
    <g fill={fill}>
      {dots.map(({ column, row }) => (
        <circle key={column * 4 + row} cx={62 + column * 15} cy={8 + row * 15.5} r={(2.2 + column * 1.4).toFixed(1)} />
      ))}
    </g>
  ),
  (fill) => <path d="M0 0h100v20H0Z" fill={fill} />,
  (fill) => <path d="M66 8l26 23-26 23Z" fill={fill} />,
]

function initials(name: string): string {
  const [first = '', second] = name
    .replace(/[^\p{L}\p{N} +]/gu, '')
    .trim()
    .split(/\s+/)
  const end = second && (/^\d/.test(second) ? second.slice(0, 2) : second[0])
  return (end ? first.charAt(0) + end : first.slice(0, 2)).toUpperCase()
}

interface Props {
  name: string
  /** Shown instead of the initials of the name. */
  letters?: string | undefined
  className?: string | undefined
}

/** The generated logo of a channel: colors, motif and letters are derived from the name. Decorative, since the name is shown beside it. */
export function ChannelMark({ name, letters = initials(name), className }: Props) {
  const seed = textHash(name)
  const [ground, accent, color] = schemes[seed % schemes.length] ?? ['mole', 'ember', cream]
  return (
    <svg
      className={clsx('mark', className)}
      viewBox="0 0 100 62"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <rect width="100" height="62" fill={bar(ground)} />
      {motifs[(seed >>> 5) % motifs.length]?.(bar(accent))}
      <text x="8" y="54" fontSize={letters.length > 2 ? 27 : 33} fill={color}>
        {letters}
      </text>
    </svg>
  )
}
