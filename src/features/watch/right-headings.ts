import type { ChannelRight } from './admin-contract.ts'

/** The column headings of the register of rights. */
export const rightHeadings = {
  channelName: 'Channel',
  source: 'Source',
  licensor: 'Licensor',
  territories: 'Territory',
  validFrom: 'From',
  validUntil: 'Until',
  document: 'Document',
  archiveHours: 'Catch-up hours',
  state: 'Status',
  published: 'Watching',
} satisfies Partial<Record<keyof ChannelRight, string>>
