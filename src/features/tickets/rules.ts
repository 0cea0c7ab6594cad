import type { TicketStatus } from './contract.ts'

export const statusNames: Record<TicketStatus, string> = {
  open: 'Open',
  waiting: 'Waiting for customer',
  solved: 'Solved',
}
export const kindNames = { inquiry: 'Inquiry', report: 'Report' } as const

/** Returns the part of an email subject by which answers are recognized, such as `[T-4F0C9A7B21D3E8]`. */
export const subjectToken = (token: string): string => `[T-${token}]`

/** Returns the token in an email subject, even if an email program changed its case; null if there is none. */
export const tokenIn = (subject: string): string | null =>
  /\[T-([0-9A-F]{14})\]/i.exec(subject)?.[1]?.toUpperCase() ?? null

/** Returns the subject of an email about a ticket: `Re:`, the subject of the ticket and its token. */
export const mailSubject = (subject: string, token: string): string =>
  `Re: ${subject.replace(/^re:\s*/i, '').slice(0, 100)} ${subjectToken(token)}`

/** A field of a canned reply, such as `{name}`. */
const field = /\{([a-z_]{2,20})\}/g
/** The fields that canned replies may contain, with their descriptions. */
export const replyFields = {
  name: 'Name of the customer',
  brand: 'Name of the site',
  order: 'Number of the latest order',
  plan: 'Plan of the subscription',
  until: 'End of the subscription',
  subject: 'Subject of the ticket',
  agent: 'Your username',
} as const

/** Replaces the fields that have a value. The other fields remain in the text, so that the administrator sees what is missing. */
export const fillFields = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(field, (whole, name: string) => values[name] || whole)

/** Returns the fields, such as `{name}`, that a text still contains. Unknown fields are left out. */
export const unfilledFields = (text: string): string[] => [
  ...new Set([...text.matchAll(field)].map(([whole, name]) => (name! in replyFields ? whole : '')).filter(Boolean)),
]
