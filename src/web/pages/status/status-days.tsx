import type { IncidentKind, ServiceStatus } from '#features/incidents/contract.ts'
import { kindNames } from '#features/incidents/rules.ts'
import { DateText } from '../../ui/time/date-text.tsx'

/** The height (percent) and color of a day's bar by its worst incident. The bar of a day without an incident is the lowest. */
const looks: Record<IncidentKind, { height: number; className: string }> = {
  outage: { height: 100, className: 'fill-bad' },
  problem: { height: 70, className: 'fill-warn' },
  maintenance: { height: 45, className: 'fill-info' },
}
const quiet = { height: 20, className: 'fill-ok' }
const kinds = ['outage', 'problem', 'maintenance'] as const

/** A chart of the days in `days`, with a list of the days that had incidents. */
export function StatusDays({ days }: Pick<ServiceStatus, 'days'>) {
  const counts = kinds.map((kind) => [kind, days.filter(({ state }) => state === kind).length] as const)
  const found = days.filter((each) => each.state !== null).reverse()
  const summary = counts
    .flatMap(([kind, count]) => (count === 0 ? [] : [`${count} ${count === 1 ? 'day' : 'days'} with ${inText[kind]}`]))
    .join(', ')
  return (
    <section className="mt-8">
      <h2 className="text-xl">The last {days.length} days</h2>
      <svg
        className="mt-3 block h-12 w-full"
        viewBox={`0 0 ${days.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`The last ${days.length} days: ${summary || 'no incidents'}`}
      >
        {days.map(({ day, state }, index) => {
          const { height, className } = state ? looks[state] : quiet
          return (
            <rect key={day} x={index + 0.15} y={100 - height} width={0.7} height={height} className={className}>
              <title>{`${day}: ${state ? kindNames[state] : 'no incidents'}`}</title>
            </rect>
          )
        })}
      </svg>
      <p className="flex justify-between text-sm text-fg-2">
        <DateText value={days[0]!.day} /> <DateText value={days.at(-1)!.day} />
      </p>
      <p className="mt-3 text-sm text-fg-2">
        The tallest bars are outages (something did not work), medium bars are problems (something worked badly), and
        low bars are planned maintenance. On days with the lowest bars everything worked. Days and times are in UTC.
      </p>
      {found.length === 0 ? (
        <p className="mt-3">No incidents in the last {days.length} days.</p>
      ) : (
        <details className="mt-3">
          <summary className="cursor-pointer font-semibold">{summary}</summary>
          <ul className="mt-2 grid gap-1">
            {found.map(({ day, state }) => (
              <li key={day}>
                <DateText value={day} />: {kindNames[state!]}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

const inText: Record<IncidentKind, string> = { outage: 'an outage', problem: 'a problem', maintenance: 'maintenance' }
