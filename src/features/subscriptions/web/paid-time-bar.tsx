import type { PaidTime } from '../contract.ts'

// Colors of the test card. Adjacent colors differ clearly.
const colors = ['var(--brand-graphic)', 'var(--bar-teal)', 'var(--bar-plum)', 'var(--bar-mustard)']

/** The remaining paid time as a bar with a part for each plan. The list below the bar says the same as text. */
export function PaidTimeBar({ time }: { time: readonly PaidTime[] }) {
  const start = Date.now()
  const end = Date.parse(time.at(-1)?.endsAt ?? '')
  const share = (at: number) => Math.max(0, (100 * (at - start)) / (end - start))
  return (
    <svg className="meter mt-3" aria-hidden="true">
      {time.map(({ startsAt, endsAt }, index) => {
        const from = share(Date.parse(startsAt))
        return (
          <rect
            key={startsAt}
            x={`${from.toFixed(1)}%`}
            width={`${Math.max(0.5, share(Date.parse(endsAt)) - from - 0.4).toFixed(1)}%`}
            height="100%"
            fill={colors[index % colors.length]}
          />
        )
      })}
    </svg>
  )
}
