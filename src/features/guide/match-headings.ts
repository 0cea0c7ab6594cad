import type { ChannelMatch } from './admin-contract.ts'

/** The headings of the list of matches. */
export const matchHeadings = {
  name: 'Channel',
  matched: 'Matched',
  listing: 'Listings',
  shiftMinutes: 'Shift',
  suggestion: 'Suggestion',
} satisfies Partial<Record<keyof ChannelMatch, string>>
