import { resolveLineDrift } from '#features/provisioning/admin-drift-contract.ts'
import { resolveDrift } from '#features/provisioning/server/drift/resolve.ts'
import { implement, type Route } from '#server/http/route.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { approverOf } from '#server/session/actor.ts'
import {
  previewSubscription,
  previewSubscriptionUndo,
  undoSubscriptionEdit,
  updateSubscription,
} from '../admin-contract.ts'
import { getNextStep, listPaidTime, putOffNextStep } from '../contract.ts'
import { adoptPanelExpiry } from './service/adopt-panel-expiry.ts'
import { putOff, readNextStep } from './service/next-step.ts'
import { previewEdit, previewUndo } from './service/preview-edit.ts'
import { paidTimeOf } from './service/read-paid-time.ts'
import { undoEdit } from './service/undo-edit.ts'
import * as subscriptions from './service/update-subscription.ts'

export const routes: Route[] = [
  implement(listPaidTime, ({ db, user }) => paidTimeOf(db, user.id)),
  implement(getNextStep, ({ db, user }) => readNextStep(db, user.id)),
  implement(putOffNextStep, ({ db, user, body }) => putOff(db, user.id, body.step)),
  implement(updateSubscription, ({ db, params, body, ...ctx }) =>
    subscriptions.updateSubscription(db, params.userId, body, approverOf(ctx)),
  ),
  implement(previewSubscription, ({ db, params, body, ...ctx }) =>
    previewEdit(db, params.userId, body, approverOf(ctx)),
  ),
  implement(previewSubscriptionUndo, ({ db, params, query, ...ctx }) =>
    previewUndo(db, params.userId, query.activationId, approverOf(ctx)),
  ),
  implement(undoSubscriptionEdit, ({ db, params, body, ...ctx }) =>
    undoEdit(db, params.userId, body.activationId, approverOf(ctx)),
  ),
  implement(resolveLineDrift, ({ db, params, body, ...ctx }) =>
    resolveDrift(db, params.driftId, body.way, approverOf(ctx), () => secretKey(ctx.config), adoptPanelExpiry),
  ),
]
