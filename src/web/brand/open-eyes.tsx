import { use } from 'react'
import { Mascot } from '#web/brand/mascot.tsx'
import { eyeCount, eyes, ink, shapes } from '#web/brand/mascot-shapes.ts'
import { MascotShown } from '#web/brand/mascot-shown.ts'

const tier = 3
const shade = `color-mix(in oklab, ${shapes[tier].skin} 82%, ${ink})`
const size = 92

/** The mascot with an eye for each screen: open for one that plays, closed for a free one. Decorative: the text beside it contains the same information. */
export function ScreensMascot({ screens, playing }: { screens: number; playing: number }) {
  const count = eyeCount(screens)
  if (!use(MascotShown)) return null
  return (
    <span className="screens-mark">
      <Mascot tier={tier} eyes={count} size={size} mouth={false} />
      <svg viewBox="0 0 100 100" width={size} height={size} aria-hidden="true">
        {eyes[count].slice(playing).map(([x, y, r]) => (
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
