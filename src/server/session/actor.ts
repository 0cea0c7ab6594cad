import type { Config } from '../config.ts'
import type { SessionUser } from './session.ts'

/** The administrator who performs an action, and the request id for the audit log. */
export type Actor = { admin: SessionUser; requestId: string }
/** An administrator who decides about a customer's request. With `selfApproval`, administrators may also decide about their own requests. */
export type Approver = Actor & { selfApproval: boolean }

/** Who confirms a payment: an administrator, or the automatic rule (`admin` is null). */
export type Decider = { admin: SessionUser | null; requestId: string | null; selfApproval: boolean }

/** Creates the approver from the context of an admin route. */
export const approverOf = (ctx: { config: Config; user: SessionUser; requestId: string }): Approver => ({
  admin: ctx.user,
  requestId: ctx.requestId,
  selfApproval: ctx.config.selfApproval === 'allow',
})
