import type { Config } from '../config.ts'
import type { SessionUser } from './session.ts'

/** The administrator who performs an action, and the request it belongs to. Without `selfApproval` they must not decide about their own affairs. */
export type Actor = { admin: SessionUser; requestId: string; selfApproval: boolean }

/** The actor of an admin request, from its route context. */
export const actorOf = (ctx: { config: Config; user: SessionUser; requestId: string }): Actor => ({
  admin: ctx.user,
  requestId: ctx.requestId,
  selfApproval: ctx.config.selfApproval === 'allow',
})
