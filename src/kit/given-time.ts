import * as z from 'zod/mini'

const wrongTime = 'Please enter a time such as 2026-11-23T20:00:00Z'

/** A UTC time of this century in an address or a body, with any precision to the millisecond. */
export const givenTime = z.iso.datetime(wrongTime).check(
  z.refine((value) => /^20\d\d/.test(value) && !Number.isNaN(Date.parse(value)), wrongTime),
  // This also runs for a refused value, which may not be a time.
  z.overwrite<string>((value) => (Number.isNaN(Date.parse(value)) ? value : new Date(value).toISOString())),
)
