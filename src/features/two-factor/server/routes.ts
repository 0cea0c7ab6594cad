import { updateProfile } from '#features/accounts/contract.ts'
import { updateProfile as changeProfile } from '#features/accounts/server/service/update-profile.ts'
import { implement, type Route } from '#server/http/route.ts'
import { sessionCookie } from '#server/session/session-cookies.ts'
import * as admin from '../admin-contract.ts'
import * as contract from '../contract.ts'
import { confirmLogin } from './service/confirm-login.ts'
import { confirmTwoFactor, createTwoFactor, readTwoFactor } from './service/set-up.ts'
import { cancelTwoFactor, createRecoveryCodes, resetTwoFactor } from './service/turn-off.ts'
import { withProof } from './service/with-proof.ts'

export const routes: Route[] = [
  implement(updateProfile, ({ body, user, caller, requestId, ...ctx }) =>
    changeProfile(ctx, user, body, { caller, requestId }, withProof),
  ),
  implement(contract.getTwoFactor, ({ db, user }) => readTwoFactor(db, user)),
  implement(contract.createTwoFactor, ({ user, body, caller, requestId, ...ctx }) =>
    createTwoFactor(ctx, user, body.currentPassword, { caller, requestId }),
  ),
  implement(contract.confirmTwoFactor, ({ user, body, requestId, ...ctx }) =>
    confirmTwoFactor(ctx, user, body.code, requestId),
  ),
  implement(contract.cancelTwoFactor, ({ user, body, caller, requestId, ...ctx }) =>
    cancelTwoFactor(ctx, user, body, { caller, requestId }),
  ),
  implement(contract.createRecoveryCodes, ({ user, body, caller, requestId, ...ctx }) =>
    createRecoveryCodes(ctx, user, body, { caller, requestId }),
  ),
  implement(contract.confirmLogin, async ({ body, caller, reply, log, requestId, ...ctx }) => {
    const { token, ...done } = await confirmLogin(ctx, body, { caller, requestId })
    reply.headers.append('set-cookie', sessionCookie(ctx.config, token))
    log.info({ requestId, userId: done.user.id }, 'logged in with a second step')
    return done
  }),
  implement(admin.resetTwoFactor, ({ db, config, user, params, requestId }) =>
    resetTwoFactor(db, params.userId, { ...user, selfApproval: config.selfApproval === 'allow' }, requestId),
  ),
]
