import type { Config } from '../config.ts'
import type { SessionUser } from './session.ts'

/** The administrator who performs an action, and the request that the audit log names for it. */
export type Actor = { admin: SessionUser; requestId: string }
/** An administrator who decides about a customer's request. `selfApproval`: whether they may decide about their own. */
export type Approver = Actor & { selfApproval: boolean }

/** Who confirms a payment: an administrator, or the rule of automatic confirmation (`admin` is null). */
export type Decider = { admin: SessionUser | null; requestId: string | null; selfApproval: boolean }

/** The approver of an admin request, from its route context. */
export const approverOf = (ctx: { config: Config; user: SessionUser; requestId: string }): Approver => ({
  admin: ctx.user,
  requestId: ctx.requestId,
  selfApproval: ctx.config.selfApproval === 'allow',
})
