import type { Hono } from 'hono'
import { countryCodeOf } from '#features/visitors/server/country.ts'
import type { Db } from '#server/db/connect.ts'
import { signInFirst } from '#server/errors.ts'
import { type AppContext, implement, type Route } from '#server/http/route.ts'
import { deviceName } from '#server/session/device.ts'
import { unguarded } from '#server/session/session-guard.ts'
import { sessionIdOf } from '#server/session/session-id.ts'
import * as admin from '../admin-contract.ts'
import * as contract from '../contract.ts'
import { serveHostLoader } from './host-loader.ts'
import { listCheckOutcomes, recordVerdict } from './record-verdict.ts'
import { readEvidence, reportCheck } from './report-check.ts'
import { runCheck } from './run-check.ts'
import { serveSample } from './sample-route.ts'

export const routes: Route[] = [
  implement(contract.runCheck, async ({ db, config, log, user, caller, body }) => {
    const viewer = {
      userId: user.id,
      sessionId: (await sessionIdOf(db, caller.sessionToken)) ?? signInFirst(),
      device: deviceName(caller.userAgent),
      country: countryCodeOf(caller.ip),
    }
    return runCheck({ db, context: { db: unguarded(db) as Db, config, log } }, viewer, body.channelId)
  }),
  implement(contract.recordVerdict, async ({ db, user, params, body }) => {
    await recordVerdict(db, user.id, params.checkId, body.cause)
    return { recorded: true as const }
  }),
  implement(contract.reportCheck, ({ db, user, params, body }) =>
    reportCheck(db, user.id, params.checkId, body.browser),
  ),
  implement(admin.listCheckOutcomes, ({ db }) => listCheckOutcomes(db)),
  implement(admin.getReportEvidence, ({ db, params }) => readEvidence(db, params.reportId)),
]

/**
 * Mounts `GET /stream/check/:id`, which sends random bytes with which a browser measures its connection. It is under `/stream/` so that the same proxies and
 * limits apply as for a stream. The id of the check is the credential; it works twice within a minute. Also mounts `GET /direct/check/:id/loader.js`, the
 * script with which a browser measures a streaming host.
 */
export function mountSample(hono: Hono, { db }: AppContext): void {
  hono.get('/stream/check/:id', (c) => serveSample(c, db))
  hono.get('/direct/check/:id/loader.js', (c) => serveHostLoader(db, c.req.param('id')))
}
