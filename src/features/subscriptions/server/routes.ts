import { mendLineDrift } from '#features/lines/admin-contract.ts'
import { mendDrift } from '#features/lines/server/service/mend-drift.ts'
import { implement, type Route } from '#server/http/route.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { actorOf } from '#server/session/actor.ts'
import {
  previewSubscription,
  previewSubscriptionUndo,
  undoSubscriptionEdit,
  updateSubscription,
} from '../admin-contract.ts'
import { listPaidTime } from '../contract.ts'
import { adoptPanelExpiry } from './service/adopt-panel-expiry.ts'
import { previewEdit, previewUndo } from './service/preview-edit.ts'
import { paidTimeOf } from './service/read-paid-time.ts'
import { undoEdit } from './service/undo-edit.ts'
import * as subscriptions from './service/update-subscription.ts'

export const routes: Route[] = [
  implement(listPaidTime, ({ db, user }) => paidTimeOf(db, user.id)),
  implement(updateSubscription, ({ db, params, body, ...ctx }) =>
    subscriptions.updateSubscription(db, params.userId, body, actorOf(ctx)),
  ),
  implement(previewSubscription, ({ db, params, body, ...ctx }) => previewEdit(db, params.userId, body, actorOf(ctx))),
  implement(previewSubscriptionUndo, ({ db, params, query, ...ctx }) =>
    previewUndo(db, params.userId, query.activationId, actorOf(ctx)),
  ),
  implement(undoSubscriptionEdit, ({ db, params, body, ...ctx }) =>
    undoEdit(db, params.userId, body.activationId, actorOf(ctx)),
  ),
  implement(mendLineDrift, ({ db, params, body, ...ctx }) =>
    mendDrift(db, params.driftId, body.way, actorOf(ctx), () => secretKey(ctx.config), adoptPanelExpiry),
  ),
]
