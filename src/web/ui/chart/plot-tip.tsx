interface Props {
  /** The x coordinate of the described point, in pixels. */
  x: number
  /** The width of the plot, in pixels. */
  width: number
  title: string
  rows: { name: string; value: string }[]
}

const tipWidth = 176
const rowHeight = 19

/** A tooltip above the plot with the values of one point. It is to the right of the point, or to its left near the right edge of the plot. */
export function PlotTip({ x, width, title, rows }: Props) {
  const height = 32 + rows.length * rowHeight
  const left = Math.max(0, x + 12 + tipWidth > width ? x - 12 - tipWidth : x + 12)
  return (
    <g className="plot-tip" transform={`translate(${left} ${-height + 28})`}>
      <rect width={tipWidth} height={height} rx={10} />
      <text className="plot-tip-title" x={11} y={22}>
        {title}
      </text>
      {rows.map(({ name, value }, index) => (
        <g key={name} transform={`translate(0 ${41 + index * rowHeight})`}>
          <text x={11}>{name}</text>
          <text className="plot-tip-value" x={tipWidth - 11}>
            {value}
          </text>
        </g>
      ))}
    </g>
  )
}
