import { implement, type Route } from '#server/http.ts'
import { clearedCookie, endSession, sessionCookie } from '#server/session.ts'
import * as contract from '../contract.ts'
import { getUser } from './service/get-user.ts'
import { listUsers } from './service/list-users.ts'
import { login } from './service/login.ts'
import { register } from './service/register.ts'
import { updatePassword } from './service/update-password.ts'
import { updateProfile } from './service/update-profile.ts'

export const routes: Route[] = [
  implement(contract.currentUser, ({ db, user }) => getUser(db, user.id)),
  implement(contract.login, async ({ body, caller, config, reply, log, requestId, ...house }) => {
    const { user, token } = await login(house, body, caller)
    reply.headers.append('set-cookie', sessionCookie(config, token))
    log.info({ requestId, userId: user.id }, 'signed in')
    return user
  }),
  implement(contract.register, async ({ body, caller, config, reply, log, requestId, ...house }) => {
    const { token, ...registered } = await register(house, body, caller)
    reply.headers.append('set-cookie', sessionCookie(config, token))
    log.info({ requestId, userId: registered.user.id }, 'registered')
    return registered
  }),
  implement(contract.logout, async ({ db, caller, config, reply }) => {
    await endSession(db, caller.sessionToken)
    reply.headers.append('set-cookie', clearedCookie(config))
    reply.headers.set('clear-site-data', '"cache"')
    return { message: "You've been logged out successfully." }
  }),
  implement(contract.updateProfile, ({ body, user, caller, requestId, ...house }) => updateProfile(house, user, body, { caller, requestId })),
  implement(contract.updatePassword, async ({ body, user, caller, requestId, config, reply, ...house }) => {
    const { token, ...changed } = await updatePassword(house, user, body, { caller, requestId })
    reply.headers.append('set-cookie', sessionCookie(config, token))
    return changed.user
  }),
  implement(contract.listUsers, ({ db, query }) => listUsers(db, query)),
]
