import type { Instant } from '#kit/dates.ts'
import type { Verdict } from '../rules.ts'

/** The port to the panel that checks a customer's own credentials. Does not throw when the panel fails. */
export type LoginPanel = {
  /** For the log. */
  host: string
  /** Checks credentials with one call, which takes at most six seconds. Expiry dates are compared with `now`. */
  checkLogin: (username: string, password: string, now: Instant) => Promise<Verdict>
}
