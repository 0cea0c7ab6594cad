export const webhookTypes = ['signed', 'telegram', 'discord'] as const
export type WebhookType = (typeof webhookTypes)[number]
export const typeLabels: Record<WebhookType, string> = {
  signed: 'Signed webhook',
  telegram: 'Telegram',
  discord: 'Discord',
}

/** The notices that a webhook can subscribe to. Their keys are sent as the type of a message, so a published key must never change. */
export const noticeGroups = [
  {
    label: 'Work waiting for the staff',
    kinds: {
      inquiry: 'New inquiry',
      report: 'New problem report',
      trial: 'New trial request',
      payment: 'Payment awaiting a decision',
      received: 'Payment received by email or from a processor',
      card_link: 'Card payment link to send',
      refund: 'Refund awaiting a decision',
      ticket: 'Ticket answered by the customer',
      line: 'Line that needs an administrator',
    },
  },
  {
    label: 'Payment mailbox and webhooks',
    kinds: {
      mailbox_paused: 'Payment mailbox paused',
      mailbox_quiet: 'No payment emails for three days',
      payment_email_forged: 'Forged payment email',
      webhook_paused: 'Another webhook paused',
    },
  },
  {
    label: 'Staff and settings',
    kinds: {
      confirmation_needed: 'Confirmation by a second administrator needed',
      administrator_added: 'Administrator added',
      staff_changed: 'Role of a staff member changed',
      staff_role_changed: 'Staff role changed',
      payments_changed: 'Payment details changed',
      automation_changed: 'Automatic confirmation changed',
      processor_changed: 'Payment processor changed',
      mail_server_changed: 'Mail server changed',
      mail_revealed: 'Secret link of an email revealed',
      second_person_changed: 'Limit for two administrators changed',
      api_key_created: 'API key created',
      api_key_revoked: 'API key revoked',
    },
  },
] as const
type Kinds = (typeof noticeGroups)[number]['kinds']
export type NoticeKind = Kinds extends infer K ? (K extends object ? keyof K : never) : never

const noticeTexts: Readonly<Record<string, string>> = Object.assign({}, ...noticeGroups.map(({ kinds }) => kinds))
export const noticeKinds = Object.keys(noticeTexts) as [NoticeKind, ...NoticeKind[]]
/**
 * Returns the text for a kind of notice. `test` is a message that an owner sends to one webhook. For a kind that this release does not define,
 * returns its key.
 */
export const noticeText = (kind: string): string => (kind === 'test' ? 'Test' : (noticeTexts[kind] ?? kind))

export const maxWebhooks = 20
/** The maximum number of secrets that are valid at the same time: the current one, and earlier ones that have not expired. */
export const maxSecrets = 3
/** The number of hours for which a secret still signs after its replacement. */
export const secretOverlapHours = 24

const minute = 60
const hour = 60 * minute
/** The waiting times between attempts, in seconds; about 18 hours in total. */
const retrySeconds = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour]
/**
 * Returns the seconds until the next attempt after this many failed attempts; undefined if there is none. `askedSeconds`: the waiting time that the
 * receiver asked for, limited to one hour.
 */
export function retryAfter(attempts: number, askedSeconds = 0): number | undefined {
  const seconds = retrySeconds[attempts - 1]
  return seconds && Math.max(seconds, Math.min(askedSeconds, hour))
}

/** Returns the path of the admin page that a notice links to. `invoiceNumber` is the number of the invoice with the id `subjectId`. */
export function noticePath(kind: string, subjectId: number | null, invoiceNumber: string | null): `/${string}` {
  const idSearch = `search=${encodeURIComponent(`#${subjectId}`)}`
  switch (kind) {
    case 'inquiry':
      return `/admin/inquiries?${idSearch}`
    case 'report':
      return `/admin?tab=reports&${idSearch}`
    case 'trial':
      return `/admin?tab=trials&${idSearch}`
    case 'line':
      return `/admin/lines?${idSearch}`
    case 'ticket':
      return `/admin/tickets/${subjectId}`
    case 'received':
      return `/admin/payments?payment=${subjectId}`
    case 'payment':
    case 'card_link':
    case 'refund':
      return `/admin?tab=invoices${invoiceNumber ? `&search=${encodeURIComponent(invoiceNumber)}` : ''}`
    case 'mailbox_paused':
    case 'mailbox_quiet':
      return '/admin/settings?section=mailbox'
    case 'api_key_created':
    case 'api_key_revoked':
      return '/admin/settings?section=api-keys'
    case 'webhook_paused':
    case 'test':
      return '/admin/settings?section=webhooks'
    default:
      return '/admin/audit'
  }
}

export const pauseTexts = {
  owner: 'Paused',
  failures: 'Paused after 5 days of failures',
  gone: 'Paused: the receiver reported that it no longer exists',
} as const

const reasonTexts: Record<string, string> = {
  timeout: 'No response within 10 seconds',
  private_address: 'The address belongs to a private network',
  no_tls: 'The address does not begin with https://',
  busy: 'Too many calls at the same time',
  held: 'Calls to other servers are blocked on this installation',
  too_large: 'The response was too large',
  bad_encoding: 'The response could not be read',
  broken: 'The connection failed',
  unreadable: 'The stored address cannot be decrypted',
  ENOTFOUND: 'The host name was not found',
  EAI_AGAIN: 'The host name could not be looked up',
  ECONNREFUSED: 'The server refused the connection',
  ECONNRESET: 'The server closed the connection',
}
/** Returns the text for the reason of a failed attempt. `reason` is one of our codes, a Node error code, or already readable text. */
export const reasonText = (reason: string): string =>
  reasonTexts[reason] ?? (/^[A-Z_0-9]+$/.test(reason) ? `The connection failed (${reason})` : reason)
