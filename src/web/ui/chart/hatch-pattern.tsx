/** The hatch pattern for losses, so that gains and losses do not differ by color alone. */
export function HatchPattern({ id }: { id: string }) {
  return (
    <pattern id={id} width={8} height={8} patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
      <rect className="plot-loss" width={8} height={8} />
      <rect className="plot-loss-stripe" y={5} width={8} height={3} />
    </pattern>
  )
}
