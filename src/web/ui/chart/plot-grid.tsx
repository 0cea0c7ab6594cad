import type { ScaleLinear } from 'd3-scale'

interface Props {
  scale: ScaleLinear<number, number>
  ticks: number[]
  width: number
  format: (value: number) => string
  /** The value whose grid line is emphasized. */
  base?: number
}

/** Horizontal grid lines with their labels to the right of the plot. */
export function PlotGrid({ scale, ticks, width, format, base }: Props) {
  return (
    <g className="plot-grid">
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={tick === base ? 'plot-base' : undefined} x2={width} y1={scale(tick)} y2={scale(tick)} />
          <text x={width + 8} y={scale(tick)} dy="0.32em">
            {format(tick)}
          </text>
        </g>
      ))}
    </g>
  )
}
