import type { SessionUser } from './session.ts'

/** The administrator who performs an action, and the request that the audit log names for it. */
export type Actor = { admin: SessionUser; requestId: string }
/** An administrator who decides about a customer's request. `selfApproval`: whether they may decide about their own. */
export type Approver = Actor & { selfApproval: boolean }
