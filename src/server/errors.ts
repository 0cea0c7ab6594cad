import type { Issue } from '#kit/caller.ts'

/** An expected error response: a status, a stable code and a message for people. Any other error that reaches the route handler is a bug. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 429 | 503
  readonly code: string
  readonly issues: Issue[] | undefined
  readonly headers: Record<string, string>
  constructor(
    status: Refusal['status'],
    code: string,
    message: string,
    extra: { issues?: Issue[]; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.issues = extra.issues
    this.headers = extra.headers ?? {}
  }
}

/** Throws 404. Another user's resource gets exactly the same response as a missing one. */
export const notFound = (what = 'Not found'): never => {
  throw new Refusal(404, 'not_found', what)
}
/** Throws 400 for one invalid field. */
export const invalid = (path: string, message: string, code = 'invalid'): never => {
  throw new Refusal(400, code, message, { issues: [{ path, message }] })
}
/** Throws 401 for a protected endpoint without a session. */
export const signInFirst = (message = 'Please log in first', code = 'not_signed_in'): never => {
  throw new Refusal(401, code, message)
}
/** Throws 403 for something this user may not do. */
export const notAllowed = (message = 'You are not allowed to do this', code = 'not_allowed'): never => {
  throw new Refusal(403, code, message)
}
/** Throws 409 when the current state does not allow the action. */
export const conflict = (code: string, message: string): never => {
  throw new Refusal(409, code, message)
}
/** Throws 429 with the seconds to wait in Retry-After. */
export const tooMany = (
  retryAfterSeconds: number,
  message = 'Too many attempts. Please wait a moment and try again.',
): never => {
  throw new Refusal(429, 'too_many', message, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  })
}
/** Returns a 503 refusal for overload. */
export const busy = (): Refusal =>
  new Refusal(503, 'busy', 'We are very busy right now. Please try again in a moment.', {
    headers: { 'retry-after': '2' },
  })
/** Throws 409 if `selfApproval` is false and administrators decide about something of their own. `what` names it, for example "trial request". */
export function refuseOwn(
  userId: number | null,
  { admin, selfApproval }: { admin: { id: number }; selfApproval: boolean },
  what: string,
): void {
  if (userId === admin.id && !selfApproval)
    conflict('own_account', `Another administrator must decide about your own ${what}.`)
}
