import { clsx } from 'clsx'
import { use } from 'react'
import { MascotMouth } from './mascot-mouth.tsx'
import { cream, type Eyes, eyes, ink, shapes, type Tier } from './mascot-shapes.ts'
import { MascotShown } from './mascot-shown.ts'

interface Props {
  /** 1 (Little Beast) to 4 (The Beast): sets the silhouette and colors. */
  tier: Tier
  /** One eye for each connection. */
  eyes: Eyes
  size?: number
  /** Offset of the pupils, as a fraction of the eye radius. */
  look?: readonly [x: number, y: number]
  mouth?: boolean
  /** The part of each eye that the lid covers, from 0 (wide open) to 0.9 (asleep). */
  lid?: number
  skin?: string
  horn?: string
  className?: string
}

const n = (value: number) => Number(value.toFixed(1))

/** The mascot. Decorative: text beside it always says the same. Renders nothing if the mascot is switched off. */
export function Mascot({
  tier,
  eyes: count,
  size = 96,
  look = [-0.3, 0.15],
  mouth = true,
  lid = 0.29,
  skin,
  horn,
  className,
}: Props) {
  if (!use(MascotShown)) return null
  const shape = shapes[tier]
  const body = skin ?? shape.skin
  const shade = `color-mix(in oklab, ${body} 82%, ${ink})`
  const out = tier > 2 ? 5 : 0
  return (
    <svg className={clsx('mascot', className)} viewBox="0 0 100 100" width={size} height={size} aria-hidden="true">
      <path d={shape.horns} fill={horn ?? shape.horn} />
      <path d={shape.body} fill={body} />
      <g fill={shade}>
        <circle cx={80 + out} cy="74" r="2.6" />
        <circle cx={75 + out} cy="82" r="1.8" />
        <circle cx={21 - out} cy="75" r="2.2" />
        <circle cx={26 - out} cy="84" r="2.8" />
      </g>
      {eyes[count].map(([x, y, r]) => {
        const px = x + look[0] * r
        const py = y + look[1] * r
        const edge = y - r + 2 * r * lid
        const half = Math.sqrt(r * r - (edge - y) ** 2)
        return (
          <g key={x}>
            <circle cx={x} cy={y} r={r} fill={cream} />
            <g className="pupil">
              <circle cx={n(px)} cy={n(py)} r={n(r * 0.52)} fill={ink} />
              <circle cx={n(px - r * 0.17)} cy={n(py - r * 0.2)} r={n(r * 0.15)} fill={cream} />
            </g>
            <path
              d={`M${n(x - half)} ${n(edge)}A${r} ${r} 0 ${lid > 0.5 ? 1 : 0} 1 ${n(x + half)} ${n(edge)}Z`}
              fill={shade}
            />
          </g>
        )
      })}
      {mouth && <MascotMouth tier={tier} />}
    </svg>
  )
}
