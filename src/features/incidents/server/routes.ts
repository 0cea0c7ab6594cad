import { type AppContext, implement } from '#server/http/route.ts'
import { approverOf } from '#server/session/actor.ts'
import * as admin from '../admin-contract.ts'
import * as days from '../admin-days-contract.ts'
import { getStatus } from '../contract.ts'
import { giveDaysBack, previewDays, readGivenDays } from './service/days-back.ts'
import { openCaseIncident, openIncident } from './service/open-incident.ts'
import { listIncidents, readStatus } from './service/read-incidents.ts'
import { endIncident, updateIncident, withdrawIncident } from './service/update-incident.ts'

/**
 * Waits for the change, then clears the response cache of this process, so that the next request of the administrator returns the change. Other
 * processes are notified at commit.
 */
async function withClearedCache<T>({ clearResponseCache }: Pick<AppContext, 'clearResponseCache'>, act: Promise<T>) {
  const done = await act
  clearResponseCache()
  return done
}

export const routes = [
  implement(getStatus, ({ db }) => readStatus(db)),
  implement(admin.listIncidents, ({ db }) => listIncidents(db)),
  implement(admin.openIncident, ({ db, user, body, requestId, ...context }) =>
    withClearedCache(context, openIncident(db, body, { admin: user, requestId })),
  ),
  implement(admin.openCaseIncident, ({ db, user, params, requestId, ...context }) =>
    withClearedCache(context, openCaseIncident(db, params.caseId, { admin: user, requestId })),
  ),
  implement(admin.updateIncident, ({ db, user, params, body, requestId, ...context }) =>
    withClearedCache(context, updateIncident(db, params.incidentId, body, { admin: user, requestId })),
  ),
  implement(admin.endIncident, ({ db, user, params, body, requestId, ...context }) =>
    withClearedCache(context, endIncident(db, params.incidentId, body, { admin: user, requestId })),
  ),
  implement(admin.withdrawIncident, ({ db, user, params, body, requestId, ...context }) =>
    withClearedCache(context, withdrawIncident(db, params.incidentId, body.version, { admin: user, requestId })),
  ),
  implement(days.listGivenDays, ({ db, params }) => readGivenDays(db, params.incidentId)),
  implement(days.previewGivenDays, ({ db, params, body }) => previewDays(db, params.incidentId, body)),
  implement(days.giveDaysBack, ({ db, params, body, ...context }) =>
    giveDaysBack(db, params.incidentId, body, approverOf(context)),
  ),
]
