// An app whose owner sends notices to a receiver on this machine.
import { eq } from 'drizzle-orm'
import { createWebhook, listDeliveries, listWebhooks, type WebhookForm } from '#features/webhooks/admin-contract.ts'
import { sendNotices } from '#features/webhooks/server/worker.ts'
import { webhookDeliveries } from '#server/db/tables.ts'
import { uniqueText } from './access-row.ts'
import { buildApp } from './app.ts'
import { webhookReceiver } from './webhook-receiver.ts'

export async function staffWebhookWorld() {
  const receiver = await webhookReceiver()
  const app = await buildApp({
    connections: 10,
    config: { webhooksAllowPrivate: true, telegramUrl: `${receiver.url}/telegram` },
  })
  const owner = await app.signInAdmin()
  const form = (changes: Partial<WebhookForm> = {}): WebhookForm => ({
    ...{
      type: 'signed',
      name: `Hook ${uniqueText()}`,
      kinds: ['inquiry'],
      address: `${receiver.url}/in?key=a%2Fb`,
      token: '',
    },
    chatId: '',
    ...changes,
  })
  const add = (changes: Partial<WebhookForm> = {}) => owner.client.call(createWebhook, { body: form(changes) })
  return {
    ...{ app, owner, receiver, form, add },
    rowOf: async (id: string) => (await owner.client.call(listWebhooks, {})).find((row) => row.id === id)!,
    deliveriesOf: (webhookId: string) => owner.client.call(listDeliveries, { params: { webhookId } }),
    send: () => sendNotices(app.context),
    /** Makes the queued deliveries of a webhook due. */
    makeDue: (webhookId: string) =>
      app.db
        .update(webhookDeliveries)
        .set({ dueAt: new Date(0).toISOString() })
        .where(eq(webhookDeliveries.webhookId, webhookId)),
    /** Sends an inquiry of a visitor. */
    ask: () =>
      app
        .client()
        .post('/api/inquiries', { name: 'Ada Quill', email: 'ada@example.org', message: 'Secret words of Ada' }),
    /** Deletes all webhooks, so that a test sees only its own notices. */
    clear: async () => {
      await app.database.pool.query('DELETE FROM webhooks')
      receiver.received.length = 0
      receiver.answers.length = 0
    },
    close: async () => {
      await app.close()
      await receiver.close()
    },
  }
}
export type StaffWebhookWorld = Awaited<ReturnType<typeof staffWebhookWorld>>
