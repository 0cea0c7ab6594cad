import type { Instant } from '#kit/dates.ts'
import type { Verdict } from '../rules.ts'

/** The port to a panel that checks whether a line exists. Panel errors are outcomes, never exceptions. */
export type Panel = {
  /** For the log. */
  host: string
  /** Makes one call within 6 s. `now` is the time that expiry dates are compared with. */
  checkLogin: (username: string, password: string, now: Instant) => Promise<Verdict>
}
