import { implement, type Route } from '#server/http/route.ts'
import { sessionCookie } from '#server/session/session-cookies.ts'
import * as contract from '../contract.ts'
import { confirmPasskey, createPasskeyChallenge } from './service/confirm-passkey.ts'
import { createPasskey, createPasskeyOptions } from './service/create-passkey.ts'
import { listPasskeys, removePasskey, updatePasskey } from './service/read-passkeys.ts'

export const routes: Route[] = [
  implement(contract.listPasskeys, ({ db, user }) => listPasskeys(db, user.id)),
  implement(contract.createPasskeyOptions, ({ user, body, caller, requestId, ...ctx }) =>
    createPasskeyOptions(ctx, user, body.currentPassword, { caller, requestId }),
  ),
  implement(contract.createPasskey, ({ user, body, requestId, ...ctx }) => createPasskey(ctx, user, body, requestId)),
  implement(contract.updatePasskey, ({ db, user, params, body, requestId }) =>
    updatePasskey(db, user, params.passkeyId, body.name, requestId),
  ),
  implement(contract.removePasskey, ({ user, params, body, caller, requestId, ...ctx }) =>
    removePasskey(ctx, user, params.passkeyId, body, { caller, requestId }),
  ),
  implement(contract.createPasskeyChallenge, (ctx) => createPasskeyChallenge(ctx)),
  implement(contract.confirmPasskey, async ({ body, caller, reply, log, requestId, ...ctx }) => {
    const { user, token } = await confirmPasskey(ctx, body.passkey, { caller, requestId })
    reply.headers.append('set-cookie', sessionCookie(ctx.config, token))
    log.info({ requestId, userId: user.id }, 'logged in with a passkey')
    return user
  }),
]
