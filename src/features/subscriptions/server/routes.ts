import { implement, type Route } from '#server/http.ts'
import { updateSubscription } from '../contract.ts'
import * as subscriptions from './service/update-subscription.ts'

export const routes: Route[] = [
  implement(updateSubscription, ({ db, params, body, user, requestId }) =>
    subscriptions.updateSubscription(db, params.userId, body, { admin: user, requestId }),
  ),
]
