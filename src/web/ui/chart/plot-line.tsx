import type { ScaleBand, ScaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import type { TrendPoint } from './trend-point.ts'

interface Props {
  points: TrendPoint[]
  x: ScaleBand<string>
  y: ScaleLinear<number, number>
  /** The y coordinate at which the filled area ends, in pixels. */
  bottom: number
}

/** The levels of the points as a line with a light fill and a dot at its end. */
export function PlotLine({ points, x, y, bottom }: Props) {
  const at = ({ key }: TrendPoint) => x(key)! + x.bandwidth() / 2
  const height = ({ level }: TrendPoint) => y(level)
  const last = points.at(-1)
  return (
    <g>
      <path className="plot-area" d={area<TrendPoint>(at, bottom, height)(points) ?? ''} />
      <path className="plot-line" d={line<TrendPoint>(at, height)(points) ?? ''} />
      {last && <circle className="plot-end" cx={at(last)} cy={height(last)} r={4.5} />}
    </g>
  )
}
