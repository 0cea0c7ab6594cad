import type { ScaleBand, ScaleLinear } from 'd3-scale'
import type { TrendPoint } from './trend-point.ts'

interface Props {
  points: TrendPoint[]
  x: ScaleBand<string>
  y: ScaleLinear<number, number>
  /** The id of the hatch pattern that fills losses. */
  hatch: string
}

/** Bars from zero. The hatched top is the loss; if the loss exceeds the value, the difference extends below the base line. */
export function PlotBars({ points, x, y, hatch }: Props) {
  const bar = (key: string, from: number, to: number, more: { className?: string; fill?: string }) =>
    from === to ? null : (
      <rect {...more} x={x(key)} width={x.bandwidth()} y={y(Math.max(from, to))} height={Math.abs(y(from) - y(to))} />
    )
  return points.map(({ key, value, loss = 0 }) => (
    <g key={key}>
      {bar(key, 0, Math.max(0, value - loss), { className: 'plot-bar' })}
      {loss > 0 && bar(key, value - loss, Math.max(value, Math.min(0, value - loss)), { fill: `url(#${hatch})` })}
    </g>
  ))
}
