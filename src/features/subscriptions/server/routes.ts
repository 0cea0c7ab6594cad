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
import * as gifts from '../admin-gift-contract.ts'
import * as moves from '../admin-move-contract.ts'
import { listPaidTime, putOffNextStep } from '../contract.ts'
import { adoptPanelExpiry } from './service/adopt-panel-expiry.ts'
import { giveDays, previewGiftOfDays } from './service/gifts/give-days.ts'
import { continueGift, undoGift } from './service/gifts/group-gift.ts'
import { readGift } from './service/gifts/read-gift.ts'
import { moveSubscription, previewMove } from './service/move/move-subscription.ts'
import { putOff } from './service/next-step.ts'
import { previewEdit, previewUndo } from './service/preview-edit.ts'
import { paidTimeOf } from './service/read-paid-time.ts'
import { undoEdit } from './service/undo-edit.ts'
import * as subscriptions from './service/update-subscription.ts'

export const routes: Route[] = [
  implement(listPaidTime, ({ db, user }) => paidTimeOf(db, user.id)),
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
  implement(gifts.previewGiftOfDays, ({ db, params, body, ...ctx }) =>
    previewGiftOfDays(db, params.userId, body.days, approverOf(ctx)),
  ),
  implement(gifts.giveDays, ({ db, params, body, ...ctx }) => giveDays(db, params.userId, body, approverOf(ctx))),
  implement(gifts.getTimeGift, ({ db, params }) => readGift(db, params.giftId)),
  implement(gifts.continueTimeGift, ({ db, params, ...ctx }) => continueGift(db, params.giftId, ctx.requestId)),
  implement(gifts.undoTimeGift, ({ db, params, ...ctx }) => undoGift(db, params.giftId, approverOf(ctx))),
  implement(moves.previewMoveSubscription, ({ db, params, body, ...ctx }) =>
    previewMove(db, params.userId, body.to, approverOf(ctx)),
  ),
  implement(moves.moveSubscription, ({ db, params, body, ...ctx }) =>
    moveSubscription(db, params.userId, body, approverOf(ctx)),
  ),
  implement(resolveLineDrift, ({ db, params, body, ...ctx }) =>
    resolveDrift(db, params.driftId, body.way, approverOf(ctx), () => secretKey(ctx.config), adoptPanelExpiry),
  ),
]
