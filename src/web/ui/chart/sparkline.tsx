import { extent } from 'd3-array'
import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'

const [width, height, inset] = [72, 28, 2]

/** A trend line without axes. Decorative: the number beside it gives the value. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const [least = 0, most = 0] = extent(values)
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [inset, width - inset])
  const y = scaleLinear([least, most === least ? least + 1 : most], [height - inset, inset])
  const path = line<number>()
    .x((_, index) => x(index))
    .y((value) => y(value))
    .digits(1)
  return (
    <svg className="sparkline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path(values) ?? ''} />
    </svg>
  )
}
