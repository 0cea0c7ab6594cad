import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useMay } from '#web/ui/permission/use-may.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { listWebhooks } from '../admin-contract.ts'
import { typeLabels } from '../rules.ts'
import { WebhookState } from './webhook-state.tsx'

const WebhookDialog = lazy(() => import('./webhook-dialogs.ts').then((module) => ({ default: module.WebhookDialog })))
const DeliveriesDialog = lazy(() =>
  import('./webhook-dialogs.ts').then((module) => ({ default: module.DeliveriesDialog })),
)

/** Which dialog is open: the form of a webhook (its id; null to add one), or the deliveries of a webhook. */
type Subject = { form: string | null } | { deliveries: string }

/** The Webhooks section of the settings, where owners manage the programs that get staff notices. */
export function WebhooksPanel() {
  const mayManage = useMay()('staff.manage')
  const list = useQuery({ ...query(listWebhooks), enabled: mayManage })
  const [opened, open] = useOpenDialog<Subject>('webhooks')
  const { data, error } = list
  if (!mayManage)
    return (
      <Card title="Webhooks">
        <p>Only owners can see and manage webhooks.</p>
      </Card>
    )
  if (error && !data)
    return (
      <Card title="Webhooks">
        <ErrorState
          title="Error loading data"
          message={messageOf(error)}
          pending={list.isFetching}
          onRetry={() => void list.refetch()}
        />
      </Card>
    )
  if (!data)
    return (
      <div role="status">
        <span className="sr-only">Loading…</span>
        <Skeleton className="h-60" />
      </div>
    )
  const rowOf = (id: string) => data.find((webhook) => webhook.id === id)
  const subject = opened?.subject
  const edited = subject && 'form' in subject && subject.form !== null ? rowOf(subject.form) : undefined
  const watched = subject && 'deliveries' in subject ? rowOf(subject.deliveries) : undefined
  return (
    <>
      <Card
        title="Webhooks"
        titleId="webhooks"
        aside={
          <Button variant="ink" size="sm" onClick={({ currentTarget }) => open({ form: null }, currentTarget)}>
            <Plus size={16} /> Add Webhook
          </Button>
        }
      >
        <div className="grid gap-5">
          <p className="text-fg-2">
            A webhook sends notices to another program, such as a chat. A notice contains its kind, an id and a link to
            the admin area, and nothing about a customer.
          </p>
          {data.length === 0 ? (
            <EmptyState>No webhooks yet.</EmptyState>
          ) : (
            <ul className="grid gap-4" aria-label="Webhooks">
              {data.map((webhook) => (
                <li key={webhook.id} className="flex flex-wrap items-center justify-between gap-3">
                  <div className="min-w-0">
                    <b className="wrap-anywhere">{webhook.name}</b>
                    <p className="wrap-anywhere text-fg-2 text-sm">
                      {typeLabels[webhook.type]}, {webhook.destination},{' '}
                      {webhook.kinds.length === 1 ? '1 notice' : `${webhook.kinds.length} notices`}
                    </p>
                    <WebhookState webhook={webhook} />
                  </div>
                  <span className="flex flex-wrap gap-2">
                    <Button
                      variant="soft"
                      size="sm"
                      onClick={({ currentTarget }) => open({ form: webhook.id }, currentTarget)}
                    >
                      Edit<span className="sr-only"> {webhook.name}</span>
                    </Button>
                    <Button
                      variant="soft"
                      size="sm"
                      onClick={({ currentTarget }) => open({ deliveries: webhook.id }, currentTarget)}
                    >
                      Deliveries<span className="sr-only"> of {webhook.name}</span>
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </Card>
      <Suspense>
        {opened && subject && 'form' in subject && (subject.form === null || edited) && (
          <WebhookDialog key={opened.openCount} webhook={edited ?? null} returnTo={opened.returnTo} />
        )}
        {opened && watched && <DeliveriesDialog key={opened.openCount} webhook={watched} returnTo={opened.returnTo} />}
      </Suspense>
    </>
  )
}
