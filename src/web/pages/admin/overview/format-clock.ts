const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })

/** A time in the reader's time zone: `at 9:28 AM` today, `on Nov 21` before. */
export function formatClock(at: Date, now: Date): string {
  return at.toDateString() === now.toDateString() ? `at ${time.format(at)}` : `on ${day.format(at)}`
}

/** The same for a narrow column: `9:28 AM`, `Nov 21`. */
export const formatShortClock = (at: Date, now: Date): string =>
  at.toDateString() === now.toDateString() ? time.format(at) : day.format(at)
