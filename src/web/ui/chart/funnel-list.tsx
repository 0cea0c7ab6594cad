export type FunnelStep = { key: string; label: string; count: number; share: string | null }

/** Steps as horizontal bars, each with its count and its share of the previous step as text. */
export function FunnelList({ steps }: { steps: FunnelStep[] }) {
  const most = Math.max(1, ...steps.map(({ count }) => count))
  return (
    <ol className="funnel">
      {steps.map(({ key, label, count, share }) => (
        <li key={key}>
          <span>{label}</span>
          <span className="funnel-count">
            {count.toLocaleString('en-US')} {share && <span>{share} of the previous step</span>}
          </span>
          <svg aria-hidden="true" className="funnel-bar">
            <rect width={`${(count / most) * 100}%`} height="100%" rx={5} />
          </svg>
        </li>
      ))}
    </ol>
  )
}
