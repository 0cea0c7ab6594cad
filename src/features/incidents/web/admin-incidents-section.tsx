import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { LazyConfirmDialog } from '#web/ui/dialog/lazy-confirm-dialog.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { Note } from '#web/ui/note.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type AdminIncident, listIncidents, withdrawIncident } from '../admin-contract.ts'
import { getStatus } from '../contract.ts'
import { AdminIncidentItem, type IncidentAction } from './admin-incident-item.tsx'

const NewIncident = lazy(() =>
  import('./admin-new-incident-dialog.tsx').then((module) => ({ default: module.AdminNewIncidentDialog })),
)
const Update = lazy(() =>
  import('./admin-incident-update-dialog.tsx').then((module) => ({ default: module.AdminIncidentUpdateDialog })),
)
const End = lazy(() =>
  import('./admin-incident-end-dialog.tsx').then((module) => ({ default: module.AdminIncidentEndDialog })),
)

const DaysBack = lazy(() =>
  import('./admin-days-back-dialog.tsx').then((module) => ({ default: module.AdminDaysBackDialog })),
)

type Opened = { action: IncidentAction; incident: AdminIncident } | { action: 'new' }

/** The list of incidents for administrators: ongoing incidents, planned maintenance, and the newest ended or withdrawn incidents. */
export function AdminIncidentsSection() {
  const { data: incidents, error, refetch, isFetching } = useQuery(query(listIncidents))
  const [opened, open] = useOpenDialog<Opened>('new-incident-button')
  const [isWithdrawing, setWithdrawing] = useState(false)
  const withdraw = useSend(withdrawIncident, [listIncidents, getStatus])
  const subject = opened?.subject
  const act = (action: IncidentAction, incident: AdminIncident, button: HTMLElement) => {
    open({ action, incident }, button)
    setWithdrawing(action === 'withdraw')
  }
  const confirmWithdrawal = ({ id, version, title }: AdminIncident) =>
    withdraw.mutate(
      { params: { incidentId: id }, body: { version } },
      {
        onSuccess: () => toast({ title: 'Withdrawn', description: `The status page no longer shows “${title}”.` }),
        onError: (failure) =>
          toast({ title: 'Nothing was changed', description: messageOf(failure), variant: 'destructive' }),
        onSettled: () => setWithdrawing(false),
      },
    )
  return (
    <Card
      className="mb-5"
      title="Service status"
      titleId="incidents-title"
      aside={
        <span className="flex flex-wrap items-center gap-4">
          <Link to="/status" className="link">
            Status Page
          </Link>
          <May needs="reports.edit">
            <Button
              id="new-incident-button"
              variant="soft"
              size="sm"
              onClick={({ currentTarget }) => open({ action: 'new' }, currentTarget)}
            >
              New Incident
            </Button>
          </May>
        </span>
      }
    >
      {error && (
        <Note
          tone="bad"
          role="alert"
          action={
            <Button variant="line" size="sm" pending={isFetching} onClick={() => void refetch()}>
              Retry
            </Button>
          }
        >
          The incidents could not be loaded: {messageOf(error)}
        </Note>
      )}
      {!incidents && !error && <p className="text-fg-2">Loading…</p>}
      {incidents?.length === 0 && (
        <p className="text-fg-2">No incidents yet. The status page says that everything works.</p>
      )}
      {incidents && incidents.length > 0 && (
        <ul aria-labelledby="incidents-title" className="divide-y divide-line">
          {incidents.map((each) => (
            <AdminIncidentItem key={each.id} incident={each} onAct={act} />
          ))}
        </ul>
      )}
      <Suspense>
        {subject?.action === 'new' && <NewIncident key={opened!.openCount} returnTo={opened!.returnTo} />}
        {subject?.action === 'update' && (
          <Update key={opened!.openCount} incident={subject.incident} returnTo={opened!.returnTo} />
        )}
        {subject?.action === 'end' && (
          <End key={opened!.openCount} incident={subject.incident} returnTo={opened!.returnTo} />
        )}
        {subject?.action === 'days' && (
          <DaysBack key={opened!.openCount} incident={subject.incident} returnTo={opened!.returnTo} />
        )}
      </Suspense>
      {subject?.action === 'withdraw' && (
        <LazyConfirmDialog
          open={isWithdrawing}
          onOpenChange={setWithdrawing}
          title={`Withdraw “${subject.incident.title}”?`}
          description="The status page will no longer show this incident, not even in the history."
          action="Withdraw"
          pending={withdraw.isPending}
          returnTo={opened!.returnTo}
          onConfirm={() => confirmWithdrawal(subject.incident)}
        />
      )}
    </Card>
  )
}
