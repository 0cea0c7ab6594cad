import type { MailboxSettings } from './contract.ts'

export const defaultMailbox: MailboxSettings = {
  enabled: false,
  host: '',
  port: 993,
  tls: 'implicit',
  username: '',
  folder: 'INBOX',
  login: 'password',
  clientId: '',
  authorizeUrl: '',
  exchangeUrl: '',
  scope: '',
  ca: '',
  addresses: [],
  accountNames: [],
  accountEndings: [],
  authservId: '',
  newTickets: 'off',
}

/**
 * `failing`: the last attempts failed, and the reader keeps trying. `silent`: the mailbox has not been checked for a long time. `paused`: the mail server or
 * the mail service refused the login.
 */
export const mailboxStates = ['off', 'starting', 'ok', 'failing', 'silent', 'paused'] as const
export type MailboxState = (typeof mailboxStates)[number]

export const mailAuths = ['proven', 'vouched', 'unproven', 'forged'] as const
export type MailAuth = (typeof mailAuths)[number]
/** Returns a text, without a final period, that says how well the sender of an email is verified. `domain` is the domain that must have signed the email. */
export function authText(auth: MailAuth, domain: string | null): string {
  switch (auth) {
    case 'proven':
      return `Signed by ${domain}; we verified the signature`
    case 'vouched':
      return `Checked by the mail server only: the key of ${domain} could not be looked up`
    case 'unproven':
      return 'The signature does not prove the sender'
    case 'forged':
      return `Not signed by ${domain}, or changed afterwards`
  }
}

const reasons: Record<string, string> = {
  header_repeated: 'A header that must be unique occurs more than once.',
  header_missing: 'A header that every email from this sender contains is missing.',
  partly_signed: 'The signature does not cover everything that is read.',
  not_proven: 'The signature does not prove that the payment service sent this.',
  other_recipient:
    'The email does not say that one of your accounts was paid. Compare the addresses, names and handles in the settings.',
  template_unknown: 'The layout of this email is not known. Record the payment by hand.',
  reversal: 'This takes back money that you received. Decide about it on this page.',
  too_large: 'The email is too large to be read.',
  too_many_parts: 'The email has too many parts.',
  too_long: 'The email is too long.',
  too_deep: 'The email is nested too deeply.',
  not_a_mail: 'The email is damaged.',
  amount: 'The amount is above $1,000,000.00.',
  outgoing: 'Money that you sent.',
  request: 'A request for money, not a payment.',
  refund: 'A refund that you sent.',
  canceled: 'A payment that was canceled or failed.',
  other_mail: 'Not a payment notification.',
  private: 'A payment that has nothing to do with an order.',
  unknown_sender: 'The sender is not a supported payment service.',
}
/** Returns why an email is not a payment, or what has to be reviewed. */
export function mailReason(reason: string): string {
  if (Object.hasOwn(reasons, reason)) return reasons[reason]!
  return `The email could not be processed (${reason}). Record the payment by hand.`
}
