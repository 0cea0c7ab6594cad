const format = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

/** `2026-10-05` as `Oct 5`. */
export const shortDay = (day: string): string => format(day, { month: 'short', day: 'numeric' })
/** `2026-10-05` as `Mon, Oct 5`. */
export const weekDay = (day: string): string => format(day, { weekday: 'short', month: 'short', day: 'numeric' })
/** `2026-10-05` as `Oct 2026`. */
export const shortMonth = (day: string): string => format(day, { month: 'short', year: 'numeric' })
/** `2026-10-05` as `Oct 5, 2026`. */
export const fullDay = (day: string): string => format(day, { month: 'short', day: 'numeric', year: 'numeric' })
/** `2026-10-05` as `M`, the first letter of its day of the week. */
export const dayLetter = (day: string): string => format(day, { weekday: 'narrow' })
export const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
