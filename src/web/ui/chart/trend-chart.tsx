import { extent, max, min } from 'd3-array'
import { scaleBand, scaleLinear } from 'd3-scale'
import { useId } from 'react'
import { HatchPattern } from './hatch-pattern.tsx'
import { PlotBars } from './plot-bars.tsx'
import { PlotGrid } from './plot-grid.tsx'
import { PlotLine } from './plot-line.tsx'
import { PlotTip } from './plot-tip.tsx'
import type { TrendPoint } from './trend-point.ts'
import { useHoveredPoint } from './use-hovered-point.ts'
import { useWidth } from './use-width.ts'

interface Props {
  points: TrendPoint[]
  names: { value: string; loss: string; level: string }
  formatAxis: (value: number) => string
  formatValue: (value: number) => string
}

const margin = 46
/** The space above the bars for the highest label, in pixels. */
const top = 8
const bars = top + 152
const gap = 20
const line = 84
const count = (value: number) => value.toLocaleString('en-US')

/** A bar chart that starts at zero, and below it a line chart on the same x axis with its own y axis. Screen readers get the table instead. */
export function TrendChart({ points, names, formatAxis, formatValue }: Props) {
  const [ref, width] = useWidth<HTMLDivElement>()
  const hatch = useId()
  const plot = Math.max(0, width - margin)
  const { index, handlers } = useHoveredPoint(points.length, plot)
  const x = scaleBand(
    points.map(({ key }) => key),
    [0, plot],
  ).padding(0.4)
  const lowest = min(points, ({ value, loss = 0 }) => Math.min(0, value - loss)) ?? 0
  const y = scaleLinear([lowest, max(points, ({ value }) => value) || 100], [bars, top]).nice(3)
  const [least = 0, most = 0] = extent(points, ({ level }) => level)
  const levels = scaleLinear(least === most ? [Math.max(0, least - 1), most + 1] : [least, most], [
    bars + gap + line,
    bars + gap,
  ]).nice(2)
  const center = (key: string) => x(key)! + x.bandwidth() / 2
  const hovered = index === null ? undefined : points[index]
  return (
    <div ref={ref} className="plot">
      {width > 0 && (
        <svg {...handlers} aria-hidden="true" width={width} height={bars + gap + line + 22}>
          <defs>
            <HatchPattern id={hatch} />
          </defs>
          <PlotGrid scale={y} ticks={y.ticks(3)} width={plot} format={formatAxis} base={0} />
          <PlotBars points={points} x={x} y={y} hatch={hatch} />
          <PlotGrid
            scale={levels}
            ticks={levels.ticks(2).filter(Number.isInteger)}
            width={plot}
            format={count}
            base={levels.domain()[0]!}
          />
          <PlotLine points={points} x={x} y={levels} bottom={bars + gap + line} />
          {points.map(({ key, tick }, at) =>
            tick ? (
              <text
                key={key}
                className="plot-tick"
                x={center(key)}
                y={bars + gap + line + 18}
                textAnchor={at === 0 ? 'start' : at === points.length - 1 ? 'end' : 'middle'}
              >
                {tick}
              </text>
            ) : null,
          )}
          {hovered && (
            <>
              <line
                className="plot-cross"
                x1={center(hovered.key)}
                x2={center(hovered.key)}
                y1={top}
                y2={bars + gap + line}
              />
              <PlotTip
                x={center(hovered.key)}
                width={plot}
                title={hovered.title}
                rows={[
                  { name: names.value, value: formatValue(hovered.value - (hovered.loss ?? 0)) },
                  ...(hovered.loss ? [{ name: names.loss, value: formatValue(hovered.loss) }] : []),
                  { name: names.level, value: count(hovered.level) },
                ]}
              />
            </>
          )}
        </svg>
      )}
    </div>
  )
}
