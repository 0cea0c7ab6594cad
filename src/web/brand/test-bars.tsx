import { clsx } from 'clsx'

const bars = ['cream', 'mustard', 'lime', 'teal', 'sky', 'plum', 'ember', 'mole']

/** The strip of test-card colors. */
export function TestBars({ className }: { className?: string }) {
  return (
    <svg
      className={clsx('test-bars', className)}
      viewBox="0 0 8 1"
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      {bars.map((bar, index) => (
        <rect key={bar} x={index} width="1" height="1" fill={`var(--bar-${bar})`} />
      ))}
    </svg>
  )
}
