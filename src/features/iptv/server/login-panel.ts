import type { Instant } from '#kit/dates.ts'
import type { Verdict } from '../rules.ts'

/** The port to the panel that checks a customer's own credentials. Does not throw when the panel fails. */
export type LoginPanel = {
  /** For the log. */
  host: string
  /** Makes one call of at most 6 s. Expiry dates are compared with `now`. */
  checkLogin: (username: string, password: string, now: Instant) => Promise<Verdict>
}
