interface Props {
  /** The point that it describes, and the width of the plot. */
  x: number
  width: number
  title: string
  rows: { name: string; value: string }[]
}

const tipWidth = 176
const rowHeight = 19

/** The values of one point, above the plot. Near the right edge it is on the left of the point. */
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
