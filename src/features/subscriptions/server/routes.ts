import { mendLineDrift } from '#features/lines/admin-contract.ts'
import { mendDrift } from '#features/lines/server/service/mend-drift.ts'
import { implement, type Route } from '#server/http.ts'
import { secretKey } from '#server/secret.ts'
import { updateSubscription } from '../contract.ts'
import { takePanelEnd } from './service/take-panel-end.ts'
import * as subscriptions from './service/update-subscription.ts'

export const routes: Route[] = [
  implement(updateSubscription, ({ db, params, body, user, requestId }) =>
    subscriptions.updateSubscription(db, params.userId, body, { admin: user, requestId }),
  ),
  implement(mendLineDrift, ({ db, params, body, user, requestId, config }) =>
    mendDrift(db, params.driftId, body.way, { admin: user, requestId }, () => secretKey(config), takePanelEnd),
  ),
]
