import { implement, type Route } from '#server/http/route.ts'
import type { SessionUser } from '#server/session/session.ts'
import * as contract from '../admin-contract.ts'
import { listDeliveries, listWebhooks } from './service/read-webhooks.ts'
import { createWebhook, deleteWebhook, pauseWebhook, rotateSecret, updateWebhook } from './service/save-webhook.ts'
import { testWebhook } from './service/test-webhook.ts'

const actorOf = ({ user, requestId }: { user: SessionUser; requestId: string }) => ({ admin: user, requestId })

export const routes: Route[] = [
  implement(contract.listWebhooks, ({ db, config }) => listWebhooks(db, config)),
  implement(contract.createWebhook, ({ body, ...ctx }) => createWebhook(ctx, body, actorOf(ctx))),
  implement(contract.updateWebhook, ({ params, body, ...ctx }) =>
    updateWebhook(ctx, params.webhookId, body, actorOf(ctx)),
  ),
  implement(contract.deleteWebhook, ({ params, query, ...ctx }) =>
    deleteWebhook(ctx, params.webhookId, query.version, actorOf(ctx)),
  ),
  implement(contract.pauseWebhook, ({ params, body, ...ctx }) =>
    pauseWebhook(ctx, params.webhookId, body, actorOf(ctx)),
  ),
  implement(contract.rotateSecret, ({ params, body, ...ctx }) =>
    rotateSecret(ctx, params.webhookId, body.version, actorOf(ctx)),
  ),
  implement(contract.testWebhook, ({ params, ...ctx }) =>
    testWebhook(ctx, params.webhookId, { ...actorOf(ctx), slot: ctx.caller.slot }),
  ),
  implement(contract.listDeliveries, ({ db, params }) => listDeliveries(db, params.webhookId)),
]
