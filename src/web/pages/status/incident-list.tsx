import type { Incident } from '#features/incidents/contract.ts'
import { kindNames } from '#features/incidents/rules.ts'
import { Badge } from '../../ui/badge.tsx'
import { DateText } from '../../ui/time/date-text.tsx'

interface Props {
  title: string
  incidents: readonly Incident[]
  /** Whether the incidents are ongoing or planned. If so, their updates are visible without a click. */
  isOpen?: true
}

const variants = { problem: 'outline', outage: 'destructive', maintenance: 'secondary' } as const

/** A list of incidents, each with what is affected, its time and its updates. */
export function IncidentList({ title, incidents, isOpen }: Props) {
  return (
    <section className="mt-8">
      <h2 className="text-xl">{title}</h2>
      <ul className="mt-3 grid gap-4">
        {incidents.map((each) => (
          <li key={each.id} id={`incident-${each.id}`} className="card card-body">
            <div className="flex flex-wrap items-start justify-between gap-2.5">
              <h3 className="min-w-0 text-lg wrap-anywhere">{each.title}</h3>
              <Badge variant={variants[each.kind]} waiting={each.kind === 'problem'}>
                {kindNames[each.kind]}
              </Badge>
            </div>
            <p className="text-sm text-fg-2 wrap-anywhere">
              Affects {each.affected.length > 0 ? affectedText(each.affected) : 'the whole service'}.{' '}
              <Period incident={each} />
            </p>
            {isOpen ? (
              <Updates updates={each.updates} />
            ) : (
              <details className="mt-3">
                <summary className="cursor-pointer font-semibold">
                  {each.updates.length === 1 ? '1 update' : `${each.updates.length} updates`}
                  <span className="sr-only"> about {each.title}</span>
                </summary>
                <Updates updates={each.updates} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const affectedText = (affected: Incident['affected']): string =>
  affected.map(({ isGroup, name }) => (isGroup ? `all channels in ${name}` : name)).join(', ')

function Period({ incident: { startsAt, plannedUntil, endedAt } }: { incident: Incident }) {
  const end = endedAt ?? plannedUntil
  return (
    <>
      {end ? 'From' : 'Since'} <DateText value={startsAt} look="minute" />
      {end && (
        <>
          {' '}
          until <DateText value={end} look="minute" />
          {endedAt === null && ' (planned)'}
        </>
      )}
      .
    </>
  )
}

function Updates({ updates }: Pick<Incident, 'updates'>) {
  return (
    <ol className="mt-3 grid gap-3">
      {updates.map(({ at, text }) => (
        <li key={at}>
          <span className="block text-sm text-fg-2">
            <DateText value={at} look="minute" />
          </span>
          <span className="whitespace-pre-line wrap-anywhere">{text}</span>
        </li>
      ))}
    </ol>
  )
}
