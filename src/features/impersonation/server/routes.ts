import { implement, type Route } from '#server/http/route.ts'
import { clearedCookie, clearedOwnCookie, ownCookie, sessionCookie } from '#server/session/session-cookies.ts'
import * as admin from '../admin-contract.ts'
import * as contract from '../contract.ts'
import { startViewing, stopViewing } from './view.ts'

export const routes: Route[] = [
  implement(admin.startViewing, async ({ db, config, user, params, caller, reply, log, requestId }) => {
    const { token, until } = await startViewing(db, params.userId, user, caller, requestId)
    // The token of the administrator's own session is kept in a second cookie, which does not authenticate requests.
    reply.headers.append('set-cookie', sessionCookie(config, token))
    reply.headers.append('set-cookie', ownCookie(config, caller.sessionToken ?? ''))
    log.info({ requestId, adminId: user.id, userId: params.userId }, 'viewing as a customer')
    return { until }
  }),
  implement(contract.stopViewing, async ({ db, config, caller, reply, requestId }) => {
    const { stopped, nextSession } = await stopViewing(db, caller, requestId)
    if (nextSession === 'own') reply.headers.append('set-cookie', sessionCookie(config, caller.ownToken ?? ''))
    if (nextSession === 'none') reply.headers.append('set-cookie', clearedCookie(config))
    reply.headers.append('set-cookie', clearedOwnCookie(config))
    return stopped
  }),
]
