import { extent } from 'd3-array'
import { scaleBand, scaleLinear } from 'd3-scale'
import { useId } from 'react'
import { HatchPattern } from './hatch-pattern.tsx'
import { useWidth } from './use-width.ts'

/** A level (at the start or end), or a change between them: positive for gains, negative for losses. */
export type BridgeStep = { key: string; label: string; level: number } | { key: string; label: string; change: number }
interface Props {
  steps: BridgeStep[]
  format: (value: number) => string
}

const height = 232
const top = 24
/** In pixels. The labels of narrower columns alternate between two rows. */
const minColumnWidth = 72

/** A waterfall chart: levels as lines with a fading fill, the changes between them as floating blocks. The y axis does not start at zero. */
export function BridgeChart({ steps, format }: Props) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const id = useId()
  let level = 0
  const blocks = steps.map((step) => {
    const from = 'level' in step ? step.level : level
    level = 'level' in step ? step.level : level + step.change
    return { ...step, from, to: level }
  })
  const [low = 0, high = 0] = extent(blocks.flatMap(({ from, to }) => [from, to]))
  const y = scaleLinear([low - Math.max(1, (high - low) * 0.25), Math.max(high, low + 1)], [height, top])
  const x = scaleBand(
    steps.map(({ key }) => key),
    [0, width],
  ).padding(0.24)
  const isNarrow = width / steps.length < minColumnWidth
  const signed = (change: number) =>
    change === 0 ? format(0) : change > 0 ? `+${format(change)}` : `−${format(-change)}`
  return (
    <div ref={ref} className="plot">
      {width > 0 && (
        <svg aria-hidden="true" width={width} height={height + (isNarrow ? 42 : 26)}>
          <defs>
            <HatchPattern id={id} />
            <linearGradient id={`${id}-fade`} x2="0" y2="1">
              <stop className="plot-fade" />
              <stop className="plot-fade" offset="85%" stopOpacity="0" />
            </linearGradient>
          </defs>
          <line className="plot-baseline" x2={width} y1={height} y2={height} />
          {blocks.map(({ key, label, from, to, ...step }, index) => {
            const left = x(key)!
            const peak = y(Math.max(from, to))
            const size = Math.max(2, Math.abs(y(from) - y(to)))
            const next = blocks[index + 1]
            return (
              <g key={key}>
                {'level' in step ? (
                  <>
                    <rect x={left} y={y(to)} width={x.bandwidth()} height={height - y(to)} fill={`url(#${id}-fade)`} />
                    <line className="plot-level" x1={left} x2={left + x.bandwidth()} y1={y(to)} y2={y(to)} />
                  </>
                ) : (
                  <rect
                    className={to >= from ? 'plot-gain' : undefined}
                    fill={to >= from ? undefined : `url(#${id})`}
                    x={left}
                    y={peak}
                    width={x.bandwidth()}
                    height={size}
                    rx={Math.min(4, size / 2)}
                  />
                )}
                {next && (
                  <line className="plot-link" x1={left + x.bandwidth()} x2={x(next.key)} y1={y(to)} y2={y(to)} />
                )}
                <text className="plot-value" x={left + x.bandwidth() / 2} y={peak - 8}>
                  {'level' in step ? format(step.level) : signed(step.change)}
                </text>
                <text
                  className="plot-tick"
                  textAnchor="middle"
                  x={left + x.bandwidth() / 2}
                  y={height + (isNarrow && index % 2 === 1 ? 34 : 18)}
                >
                  {label}
                </text>
              </g>
            )
          })}
        </svg>
      )}
    </div>
  )
}
