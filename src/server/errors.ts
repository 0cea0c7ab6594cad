import type { Issue } from '#kit/caller.ts'

/** An expected refusal: a status, a stable code and a sentence for people. Anything else that is thrown is a bug. */
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

/** 404; someone else's thing is refused with exactly the same words as a missing one. */
export const notFound = (what = 'Not found'): never => {
  throw new Refusal(404, 'not_found', what)
}
/** 400 for one field, in the form's own words. */
export const invalid = (path: string, message: string, code = 'invalid'): never => {
  throw new Refusal(400, code, message, { issues: [{ path, message }] })
}
/** 401 for a protected call without a session. */
export const signInFirst = (message = 'Please log in first', code = 'not_signed_in'): never => {
  throw new Refusal(401, code, message)
}
/** 403 for a function this person may not use. */
export const notAllowed = (message = 'You are not allowed to do this', code = 'not_allowed'): never => {
  throw new Refusal(403, code, message)
}
/** 409 when the state of things does not allow it (any more). */
export const conflict = (code: string, message: string): never => {
  throw new Refusal(409, code, message)
}
/** 429 with the seconds to wait. */
export const tooMany = (
  retryAfterSeconds: number,
  message = 'Too many attempts. Please wait a moment and try again.',
): never => {
  throw new Refusal(429, 'too_many', message, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  })
}
/** 503 when too much is asked for at the same time. */
export const busy = (): Refusal =>
  new Refusal(503, 'busy', 'We are very busy right now. Please try again in a moment.', {
    headers: { 'retry-after': '2' },
  })
/** Throws 409 when administrators decide about what is their own and `selfApproval` is false. `what` is "trial request", "line". */
export function refuseOwn(
  userId: number | null,
  { admin, selfApproval }: { admin: { id: number }; selfApproval: boolean },
  what: string,
): void {
  if (userId === admin.id && !selfApproval)
    conflict('own_account', `Another administrator has to decide about your own ${what}.`)
}
