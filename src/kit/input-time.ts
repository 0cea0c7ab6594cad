import * as z from 'zod/mini'

const wrongTime = 'Please enter a time such as 2026-11-23T20:00:00Z'

/** A UTC time of this century in a URL or a body, as ISO 8601 with any precision up to milliseconds. The parsed value always has milliseconds. */
export const inputTime = z.iso.datetime(wrongTime).check(
  z.refine((value) => /^20\d\d/.test(value) && !Number.isNaN(Date.parse(value)), wrongTime),
  // This also runs for values that were refused above and may not be times.
  z.overwrite<string>((value) => (Number.isNaN(Date.parse(value)) ? value : new Date(value).toISOString())),
)
