import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import {
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  pauseWebhook,
  rotateSecret,
  testWebhook,
  type WebhookRow,
} from '../admin-contract.ts'
import { reasonText, secretOverlapHours, typeLabels } from '../rules.ts'
import { DeliveryList } from './delivery-list.tsx'
import { WebhookSecret } from './webhook-secret.tsx'
import { WebhookState } from './webhook-state.tsx'

interface Props {
  webhook: WebhookRow
  returnTo: () => HTMLElement | null
}

/** A dialog with the latest deliveries of a webhook and its actions: test, pause, replace the secret, delete. */
export function DeliveriesDialog({ webhook, returnTo }: Props) {
  const { name, type, version, pausedAt } = webhook
  const params = { webhookId: webhook.id }
  const [open, setOpen] = useState(true)
  const [asking, setAsking] = useState<'rotate' | 'delete'>()
  const [secret, setSecret] = useState<string | null>(null)
  const test = useSend(testWebhook, [listDeliveries, listWebhooks])
  const pause = useSend(pauseWebhook, [listWebhooks])
  const rotate = useSend(rotateSecret, [listWebhooks])
  const remove = useSend(deleteWebhook, [listWebhooks])
  const failed = (title: string) => (error: Error) =>
    toast({ title, description: messageOf(error), variant: 'destructive' })

  const sendTest = () =>
    test.mutate(
      { params },
      {
        onSuccess: ({ status, reason }) =>
          status === 'sent'
            ? toast({ title: 'Test sent', description: `${name} accepted the message.` })
            : toast({ title: 'Test failed', description: reasonText(reason ?? ''), variant: 'destructive' }),
        onError: failed('Test failed'),
      },
    )
  const togglePause = () =>
    pause.mutate(
      { params, body: { paused: pausedAt === null, version } },
      {
        onSuccess: () =>
          toast({
            title: pausedAt ? 'Webhook resumed' : 'Webhook paused',
            description: pausedAt ? `${name} gets notices again.` : `${name} gets no notices until it is resumed.`,
          }),
        onError: failed('Webhook not changed'),
      },
    )
  const replaceSecret = () =>
    rotate.mutate(
      { params, body: { version } },
      {
        onSuccess: (replaced) => setSecret(replaced.secret),
        onError: failed('Secret not replaced'),
        onSettled: () => setAsking(undefined),
      },
    )
  const deleteIt = () =>
    remove.mutate(
      { params, query: { version } },
      {
        onSuccess: () => {
          setOpen(false)
          toast({ title: 'Webhook deleted', description: `${name} gets no more notices.` })
        },
        onError: failed('Webhook not deleted'),
        onSettled: () => setAsking(undefined),
      },
    )
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={`Deliveries of ${name}`}
      description={`${typeLabels[type]}, ${webhook.destination}`}
      size="wide"
      keepOnOutsidePress={secret !== null}
      returnTo={returnTo}
      footer={
        <Button variant="line" onClick={() => setOpen(false)}>
          Close
        </Button>
      }
    >
      <div className="grid gap-5">
        <WebhookState webhook={webhook} />
        {secret && <WebhookSecret secret={secret} />}
        <div className="flex flex-wrap gap-2">
          <Button variant="soft" size="sm" pending={test.isPending} onClick={sendTest}>
            Send Test
          </Button>
          <Button variant="line" size="sm" pending={pause.isPending} onClick={togglePause}>
            {pausedAt ? 'Resume' : 'Pause'}
          </Button>
          {type === 'signed' && (
            <Button variant="line" size="sm" onClick={() => setAsking('rotate')}>
              Replace Secret
            </Button>
          )}
          <Button variant="line" size="sm" onClick={() => setAsking('delete')}>
            Delete
          </Button>
        </div>
        <DeliveryList webhookId={webhook.id} />
      </div>
      <ConfirmDialog
        open={asking === 'rotate'}
        onOpenChange={() => setAsking(undefined)}
        title={`Replace the secret of ${name}?`}
        description={`The new secret is shown once. Messages are signed with both secrets for ${secretOverlapHours} hours.`}
        action="Replace Secret"
        destructive={false}
        pending={rotate.isPending}
        onConfirm={replaceSecret}
      />
      <ConfirmDialog
        open={asking === 'delete'}
        onOpenChange={() => setAsking(undefined)}
        title={`Delete ${name}?`}
        description="The webhook gets no more notices, and its deliveries are deleted."
        action="Delete Webhook"
        pending={remove.isPending}
        onConfirm={deleteIt}
      />
    </Dialog>
  )
}
