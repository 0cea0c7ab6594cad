/** Gray columns with the height of a plot, until the first data arrive. */
export function PlotSkeleton() {
  return (
    <div role="status" className="plot-skeleton">
      <span className="sr-only">Loading</span>
      <svg aria-hidden="true" width="100%" height="152">
        {[40, 62, 55, 78, 70, 90, 64, 84, 72, 95, 80, 88].map((height, index) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change
            key={index}
            x={`${index * 8.4}%`}
            y={`${100 - height}%`}
            width="6.6%"
            height={`${height}%`}
            rx={4}
          />
        ))}
      </svg>
    </div>
  )
}
