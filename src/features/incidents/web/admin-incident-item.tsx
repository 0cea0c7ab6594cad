import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { AdminIncident } from '../admin-contract.ts'
import { kindNames } from '../rules.ts'

export type IncidentAction = 'update' | 'end' | 'withdraw' | 'days'
interface Props {
  incident: AdminIncident
  onAct: (action: IncidentAction, incident: AdminIncident, button: HTMLElement) => void
}

const variants = { problem: 'outline', outage: 'destructive', maintenance: 'secondary' } as const

/** An incident in the list for administrators, with its actions. */
export function AdminIncidentItem({ incident, onAct }: Props) {
  const { id, title, kind, startsAt, endedAt, withdrawnAt, plannedUntil, waiting } = incident
  const isOpen = endedAt === null && withdrawnAt === null
  const isPlanned = isOpen && Date.parse(startsAt) > Date.now()
  const actions: [IncidentAction, string][] = isPlanned
    ? [
        ['update', 'Update'],
        ['withdraw', 'Withdraw'],
      ]
    : [
        ['update', 'Update'],
        ['end', 'End'],
        ['withdraw', 'Withdraw'],
      ]
  return (
    <li id={`incident-${id}`} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <span className="flex flex-wrap items-center gap-2">
          <b className="font-semibold">{title}</b>
          <Badge variant={isOpen ? variants[kind] : 'neutral'} waiting={isOpen && kind === 'problem'}>
            {kindNames[kind]}
          </Badge>
        </span>
        <span className="block text-sm text-fg-2">
          {stateText({ isOpen, isPlanned, withdrawnAt })} <DateText value={startsAt} look="minute" />
          {(endedAt ?? plannedUntil) && (
            <>
              {' '}
              until <DateText value={endedAt ?? plannedUntil} look="minute" />
            </>
          )}
          {isOpen && waiting > 0 && `, ${waiting} ${waiting === 1 ? 'report waiting' : 'reports waiting'}`}
        </span>
      </span>
      {isOpen && (
        <May needs="reports.edit">
          <span className="flex flex-wrap gap-2">
            {actions.map(([action, label]) => (
              <Button
                key={action}
                size="sm"
                variant={action === 'withdraw' ? 'line' : 'soft'}
                onClick={({ currentTarget }) => onAct(action, incident, currentTarget)}
              >
                {label}
                <span className="sr-only"> {title}</span>
              </Button>
            ))}
          </span>
        </May>
      )}
      {endedAt !== null && (
        <May needs="subscriptions.edit">
          <Button size="sm" variant="line" onClick={({ currentTarget }) => onAct('days', incident, currentTarget)}>
            Give Days Back<span className="sr-only"> for {title}</span>
          </Button>
        </May>
      )}
    </li>
  )
}

function stateText({
  isOpen,
  isPlanned,
  withdrawnAt,
}: {
  isOpen: boolean
  isPlanned: boolean
  withdrawnAt: string | null
}): string {
  if (withdrawnAt) return 'Withdrawn. From'
  if (isPlanned) return 'Planned for'
  return isOpen ? 'Since' : 'From'
}
