import { audit } from '#server/audit.ts'
import { inTransaction } from '#server/db/retry.ts'
import { notFound } from '#server/errors.ts'
import { changed } from '#server/live/notify.ts'
import type { Slot } from '#server/overload/slot.ts'
import type { Actor } from '#server/session/actor.ts'
import type { Delivery } from '../../admin-contract.ts'
import { type DeliveryContext, deliver, insertTest } from '../delivery/deliver.ts'
import { deliveryById } from './read-webhooks.ts'

/**
 * Sends a test message, even for a paused webhook, and returns its outcome. The message is not retried. The slot of the request is released before
 * waiting for the receiver. Throws 404.
 */
export async function testWebhook(
  context: DeliveryContext,
  webhookId: string,
  { admin, requestId, slot }: Actor & { slot: Slot | undefined },
): Promise<Delivery> {
  const test = await inTransaction(context.db, async (tx) => {
    const inserted = await insertTest(tx, webhookId)
    if (!inserted) return notFound('Webhook not found')
    await audit(tx, {
      actorId: admin.id,
      action: 'webhook.test',
      targetType: 'webhook',
      targetId: webhookId,
      requestId,
    })
    await changed(tx, 'webhook')
    return inserted
  })
  slot?.release()
  await deliver(context, test)
  return deliveryById(context.db, test.id)
}
