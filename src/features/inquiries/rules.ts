import type { AdminInquiry, InquiryStatus } from './admin-contract.ts'

export const statusNames: Record<InquiryStatus, string> = { open: 'Open', answered: 'Answered' }

// Mail programs cut or refuse longer addresses.
const longestQuote = 1_200

/** The address that opens a reply in the mail program: to the sender, the message quoted below. */
export function replyAddress(
  { name, email, message }: Pick<AdminInquiry, 'name' | 'email' | 'message'>,
  brand: string,
): string {
  const shown = message.length > longestQuote ? `${[...message].slice(0, longestQuote).join('')}…` : message
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
