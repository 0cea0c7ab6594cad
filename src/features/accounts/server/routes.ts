import { exportListRoute } from '#server/http/csv/csv-export.ts'
import { implement, type Route } from '#server/http/route.ts'
import { endSession } from '#server/session/session.ts'
import { clearedCookie, clearedOwnCookie, sessionCookie } from '#server/session/session-cookies.ts'
import * as admin from '../admin-contract.ts'
import * as contract from '../contract.ts'
import { confirmEmail } from './service/confirm-email.ts'
import { confirmPasswordReset } from './service/confirm-password-reset.ts'
import { createCustomer } from './service/create-customer.ts'
import { createEmailVerification, getEmailVerification } from './service/create-email-verification.ts'
import { createPasswordReset } from './service/create-password-reset.ts'
import { listUsers, userList } from './service/list-users.ts'
import { login } from './service/login.ts'
import { register } from './service/register.ts'
import { resetPassword } from './service/reset-password.ts'
import { setRole } from './service/set-role.ts'
import { previewUndoCreation, undoCreateCustomer } from './service/undo-create-customer.ts'
import { updatePassword } from './service/update-password.ts'
import { userCsvColumns } from './user-csv.ts'

export const routes: Route[] = [
  implement(contract.currentUser, ({ user: { view, viewedUntil } }) => ({
    ...view!,
    ...(viewedUntil && { viewedUntil }),
  })),
  implement(contract.login, async ({ body, caller, config, reply, log, requestId, ...ctx }) => {
    const done = await login(ctx, body, { caller, requestId })
    if ('secondStep' in done) return done
    const { user, token } = done
    reply.headers.append('set-cookie', sessionCookie(config, token))
    log.info({ requestId, userId: user.id }, 'logged in')
    return user
  }),
  implement(contract.register, async ({ body, caller, reply, log, requestId, ...ctx }) => {
    const { token, ...registered } = await register(ctx, body, { caller, requestId })
    reply.headers.append('set-cookie', sessionCookie(ctx.config, token))
    log.info({ requestId, userId: registered.user.id }, 'registered')
    return registered
  }),
  implement(contract.logout, async ({ db, caller, config, reply }) => {
    await endSession(db, caller.sessionToken)
    reply.headers.append('set-cookie', clearedCookie(config))
    if (caller.ownToken !== undefined) {
      await endSession(db, caller.ownToken)
      reply.headers.append('set-cookie', clearedOwnCookie(config))
    }
    reply.headers.set('clear-site-data', '"cache"')
    return { message: "You've been logged out successfully." }
  }),
  implement(contract.updatePassword, async ({ body, user, caller, requestId, config, reply, ...ctx }) => {
    const { token, ...changed } = await updatePassword(ctx, user, body, { caller, requestId })
    reply.headers.append('set-cookie', sessionCookie(config, token))
    return changed.user
  }),
  implement(contract.createPasswordReset, ({ body, caller, requestId, ...ctx }) =>
    createPasswordReset(ctx, body.email, { caller, requestId }),
  ),
  implement(contract.confirmPasswordReset, ({ body, caller, requestId, ...ctx }) =>
    confirmPasswordReset(ctx, body, { caller, requestId }),
  ),
  implement(contract.getEmailVerification, ({ db, user }) => getEmailVerification(db, user)),
  implement(contract.createEmailVerification, ({ user, caller, requestId, ...ctx }) =>
    createEmailVerification(ctx, user, { caller, requestId }),
  ),
  implement(contract.confirmEmail, ({ db, body, requestId }) => confirmEmail(db, body.token, requestId)),
  implement(admin.listUsers, ({ db, query }) => listUsers(db, query)),
  exportListRoute(admin.exportUsers, userList, userCsvColumns),
  implement(admin.previewUndoCreation, ({ db, params, user, requestId }) =>
    previewUndoCreation(db, params.userId, { admin: user, requestId }),
  ),
  implement(admin.undoCreateCustomer, ({ db, params, user, requestId }) =>
    undoCreateCustomer(db, params.userId, { admin: user, requestId }),
  ),
  implement(admin.createCustomer, ({ body, user, requestId, ...ctx }) =>
    createCustomer(ctx, body, { admin: user, requestId }),
  ),
  implement(admin.updateRole, ({ db, config, params, body, user, requestId }) =>
    setRole(db, params.userId, body.role === 'admin' ? 'owner' : 'customer', {
      admin: user,
      requestId,
      needsSecond: config.selfApproval === 'deny',
      keepsStaffRole: true,
    }),
  ),
  implement(admin.resetPassword, ({ params, body, user, requestId, ...ctx }) =>
    resetPassword(ctx, params.userId, body, {
      admin: user,
      requestId,
      selfApproval: ctx.config.selfApproval === 'allow',
    }),
  ),
]
