const bars = ['cream', 'mustard', 'lime', 'ember']

/** Shows the steps of the guided setup as colored bars. */
export function StepBars({ done, of }: { done: number; of: number }) {
  return (
    <svg
      className="block h-3 w-full"
      viewBox={`0 0 ${of} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      role="img"
      aria-label={`${done} of ${of} steps done`}
    >
      {bars.slice(0, of).map((bar, index) => (
        <rect key={bar} x={index} width="0.99" height="1" fill={`var(--bar-${index < done ? bar : 'mole'})`} />
      ))}
    </svg>
  )
}
