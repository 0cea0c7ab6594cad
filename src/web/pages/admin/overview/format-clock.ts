const time = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })

/** Formats a time in the browser's time zone: `at 9:28 AM` if it is today, otherwise `on Nov 21`. */
export function formatClock(at: Date, now: Date): string {
  return at.toDateString() === now.toDateString() ? `at ${time.format(at)}` : `on ${day.format(at)}`
}

/** Like formatClock, but for a narrow column: `9:28 AM` or `Nov 21`. */
export const formatShortClock = (at: Date, now: Date): string =>
  at.toDateString() === now.toDateString() ? time.format(at) : day.format(at)
