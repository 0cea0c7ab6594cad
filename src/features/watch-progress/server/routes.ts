import { countryCodeOf } from '#features/visitors/server/country.ts'
import { implement, type Route } from '#server/http/route.ts'
import * as contract from '../contract.ts'
import { clearProgress, removeProgress, setHistory } from './forget-progress.ts'
import { listProgress } from './list-progress.ts'
import { storeProgress } from './store-progress.ts'

export const routes: Route[] = [
  implement(contract.listWatchProgress, ({ db, user, caller }) =>
    // What a customer watches is not shown to others, not even to an administrator who views the site as the customer.
    user.viewedBy ? { isKept: true, items: [] } : listProgress(db, user.id, countryCodeOf(caller.ip)),
  ),
  implement(contract.storeWatchProgress, async ({ db, user, caller, params, body }) => {
    const watcher = { userId: user.id, country: countryCodeOf(caller.ip) }
    return { stored: await storeProgress(db, watcher, params, body.positionMs) }
  }),
  implement(contract.removeWatchProgress, async ({ db, user, params }) => {
    await removeProgress(db, user.id, params)
    return { removed: true as const }
  }),
  implement(contract.clearWatchProgress, async ({ db, user }) => {
    await clearProgress(db, user.id)
    return { removed: true as const }
  }),
  implement(contract.setWatchHistory, async ({ db, user, body }) => {
    await setHistory(db, user.id, body.isKept)
    return { isKept: body.isKept }
  }),
]
