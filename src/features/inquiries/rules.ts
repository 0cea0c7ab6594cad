import type { AdminInquiry, InquiryStatus } from './admin-contract.ts'

export const statusNames: Record<InquiryStatus, string> = { open: 'Open', answered: 'Answered' }

// Mail clients truncate or reject longer mailto URLs.
const maxQuoteLength = 1_200

/** A mailto URL that opens a reply to the sender with the message quoted. */
export function replyUrl(
  { name, email, message }: Pick<AdminInquiry, 'name' | 'email' | 'message'>,
  brand: string,
): string {
  const shown = message.length > maxQuoteLength ? `${[...message].slice(0, maxQuoteLength).join('')}…` : message
  const quoted = shown
    .split('\n')
    .map((each) => `> ${each}`)
    .join('\r\n')
  const parts = { subject: `Your inquiry to ${brand}`, body: `Hello ${name},\r\n\r\n\r\n\r\n${quoted}` }
  const to = encodeURIComponent(email).replaceAll('%40', '@')
  return `mailto:${to}?${Object.entries(parts)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&')}`
}
