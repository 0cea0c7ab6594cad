import { adminOnly, type Row, uniqueText } from './access-row.ts'
import type { World } from './access-world.ts'
import { insertWebhook } from './insert-webhook.ts'

// An IP address, so that no host is looked up. Nothing is sent to it: the stored address of `prepare` cannot be decrypted.
const form = () => ({
  name: `Webhook ${uniqueText()}`,
  kinds: ['report'],
  address: 'https://93.184.215.14/hook',
  token: '',
  chatId: '',
})
const prepare = async ({ app, pathParams }: World) => {
  pathParams.webhookId = await insertWebhook(app)
}
/** The number of webhooks is limited. */
const deleteAll = async ({ app }: World) => void (await app.database.pool.query('DELETE FROM webhooks'))
const body = () => ({ version: 1 })

/** The endpoints of webhooks: for owners only. */
export const webhookRows: Record<string, Row> = {
  'GET /api/admin/webhooks': adminOnly(),
  'POST /api/admin/webhooks': adminOnly({ prepare: deleteAll, body: () => ({ type: 'signed', ...form() }) }),
  'PUT /api/admin/webhooks/:webhookId': adminOnly({ prepare, body: () => ({ ...form(), version: 1 }) }),
  'DELETE /api/admin/webhooks/:webhookId': adminOnly({ prepare, query: () => '?version=1' }),
  'POST /api/admin/webhooks/:webhookId/pause': adminOnly({ prepare, body: () => ({ paused: true, version: 1 }) }),
  'POST /api/admin/webhooks/:webhookId/secret': adminOnly({ prepare, body }),
  'POST /api/admin/webhooks/:webhookId/test': adminOnly({ prepare }),
  'GET /api/admin/webhooks/:webhookId/deliveries': adminOnly({ prepare }),
}
