import { use } from 'react'
import { Mascot } from './mascot.tsx'
import { eyeCount, eyes, ink, shapes } from './mascot-shapes.ts'
import { MascotShown } from './mascot-shown.ts'

const tier = 3
const shade = `color-mix(in oklab, ${shapes[tier].skin} 82%, ${ink})`

interface Props {
  /** The number of eyes; at most five are drawn. */
  total: number
  /** The number of open eyes. */
  open: number
  size: number
}

/**
 * The mascot with some eyes open and the others closed. Shows dots instead of eyes if the mascot is switched off. Decorative: text beside it contains the same
 * numbers.
 */
export function OpenEyes({ total, open, size }: Props) {
  const count = eyeCount(total)
  if (!use(MascotShown))
    return (
      <svg viewBox={`0 0 ${count * 12} 12`} width={count * 12} height={12} aria-hidden="true">
        {eyes[count].map(([x], index) => (
          <circle
            key={x}
            cx={index * 12 + 6}
            cy="6"
            r="4"
            fill={index < open ? 'currentColor' : 'none'}
            stroke="currentColor"
            strokeWidth="1.5"
          />
        ))}
      </svg>
    )
  return (
    <span className="open-eyes">
      <Mascot tier={tier} eyes={count} size={size} look={[0, 0.1]} lid={0.4} mouth={false} />
      <svg viewBox="0 0 100 100" width={size} height={size} aria-hidden="true">
        {eyes[count].slice(open).map(([x, y, r]) => (
          <g key={x} fill="none" stroke={ink} strokeWidth={r * 0.14} strokeLinecap="round">
            <circle cx={x} cy={y} r={r + 0.3} fill={shade} stroke="none" />
            <path d={`M${x - r * 0.62} ${y + r * 0.2}Q${x} ${y + r * 0.65} ${x + r * 0.62} ${y + r * 0.2}`} />
            <path
              d={[-0.5, 0, 0.5].map((at) => `M${x + at * r} ${y + r * 0.42}l${at * r * 0.3} ${r * 0.3}`).join('')}
            />
          </g>
        ))}
      </svg>
    </span>
  )
}
