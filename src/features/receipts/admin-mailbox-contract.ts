// Admin endpoints for the mailbox of payment emails: its state, its settings, and the emails that an administrator has to review.
import * as z from 'zod/mini'
import { rails } from '#features/payments/rules.ts'
import { get, type Output, post, put } from '#kit/endpoint.ts'
import { cents, idParam, instant } from '#kit/text.ts'
import { mailbox, mailboxConnection, mailboxForm } from './contract.ts'
import { mailAuths, mailboxStates } from './mailbox-rules.ts'

const text = z.nullable(z.string())
export const getMailbox = get('/api/admin/mailbox', {
  summary: 'Whether the mailbox of payment emails is read, and how many emails an administrator has to review',
  access: 'admin',
  needs: 'payments.read',
  dependsOn: ['mailbox', 'payment'],
  output: z.object({
    state: z.enum(mailboxStates),
    username: z.string(),
    /** When the mailbox was last checked for new emails. */
    checkedAt: z.nullable(instant),
    /** When the mailbox entered this state; null for `ok` and `off`. */
    since: z.nullable(instant),
    /** A sentence about the last failure. */
    message: text,
    /** When the last payment email was read, if a gap of this length is unusual; otherwise null. */
    quietSince: z.nullable(instant),
    /** The number of emails to review, at most `maxEmailsToReview`. */
    toReview: z.int(),
    /** The server time. */
    now: instant,
  }),
})
export type MailboxStatus = Output<typeof getMailbox>
export const maxEmailsToReview = 100

const stored = z.object({
  version: z.string(),
  passwordSet: z.boolean(),
  clientSecretSet: z.boolean(),
  /** When the refresh token of the mail service was stored; null without one. */
  connectedAt: z.nullable(instant),
  /** The redirect URI to register at the mail service. */
  redirectUri: z.string(),
  /** `password` and `clientSecret` are always empty in responses. */
  value: z.extend(mailbox, { password: z.string(), clientSecret: z.string() }),
})
export const getMailboxSettings = get('/api/admin/mailbox/settings', {
  summary: 'The settings of the mailbox of payment emails, without its password',
  access: 'admin',
  needs: 'settings.read',
  dependsOn: ['mailbox'],
  output: stored,
})
export const updateMailboxSettings = put('/api/admin/mailbox/settings', {
  summary: 'Change the mailbox of payment emails; refused when it was changed since that version',
  access: 'admin',
  needs: 'settings.edit',
  limit: 'adminWrite',
  body: z.object({ version: z.string().check(z.maxLength(64)), value: mailboxForm }),
  output: stored,
})
export const testMailbox = post('/api/admin/mailbox/test', {
  summary: 'Test the connection to a mailbox; nothing is saved',
  access: 'admin',
  needs: 'settings.edit',
  limit: 'adminWrite',
  body: mailboxConnection,
  output: z.object({ ok: z.boolean(), message: z.string() }),
})

const paymentEmail = z.object({
  id: z.int(),
  sender: z.string(),
  subject: z.string(),
  messageId: z.string(),
  receivedAt: instant,
  auth: z.enum(mailAuths),
  signedBy: text,
  outcome: z.enum(['payment', 'not_a_payment', 'refused', 'unreadable']),
  reason: text,
  /** Whether the content of the email is stored, so that it can be read again. */
  canReadAgain: z.boolean(),
})
export type PaymentEmail = z.output<typeof paymentEmail>
export const listPaymentEmails = get('/api/admin/mailbox/emails', {
  summary: `The newest ${maxEmailsToReview} payment emails that were refused or could not be read, and notices of money taken back`,
  access: 'admin',
  needs: 'payments.read',
  dependsOn: ['payment'],
  output: z.array(paymentEmail),
})
const params = z.object({ emailId: idParam })
export const reviewPaymentEmail = post('/api/admin/mailbox/emails/:emailId/review', {
  summary: 'Remove a payment email from the list; audited',
  access: 'admin',
  needs: 'payments.decide',
  limit: 'adminWrite',
  params,
  output: z.object({ reviewed: z.literal(true) }),
})
export const readPaymentEmailAgain = post('/api/admin/mailbox/emails/:emailId/read', {
  summary: 'Read a payment email again, for example after the accounts in the settings were changed; audited',
  access: 'admin',
  needs: 'payments.decide',
  limit: 'adminWrite',
  params,
  output: z.object({
    /** The payments that the email reported. */
    payments: z.array(z.object({ id: z.int(), amount: cents, currency: z.string() })),
    reason: text,
  }),
})

export const openPaymentEmail = post('/api/admin/mailbox/emails/:emailId/open', {
  summary: 'The stored content of a payment email as plain text, its signature, and the whole email; audited',
  access: 'admin',
  needs: 'payments.decide',
  sessionOnly: true,
  limit: 'adminWrite',
  params,
  output: z.object({
    subject: z.string(),
    from: z.string(),
    to: z.array(z.string()),
    date: z.nullable(instant),
    /** The text of the email without HTML. Card and account numbers are masked. */
    lines: z.array(z.string()),
    /** The DKIM signature of the payment service; null if the email is not signed. */
    signature: z.nullable(
      z.object({
        domain: z.string(),
        selector: z.string(),
        algorithm: z.string(),
        /** The names of the signed headers in lower case. */
        headers: z.array(z.string()),
        /** The length of the signing key; null if the key can no longer be looked up. */
        keyBits: z.nullable(z.int()),
      }),
    ),
    template: text,
    templateVersion: z.nullable(z.int()),
    /** The whole email as it arrived, as Base64. */
    raw: z.string(),
  }),
})
export type OpenedEmail = Output<typeof openPaymentEmail>

export const connectMailbox = post('/api/admin/mailbox/connect', {
  summary: 'Start connecting the mailbox with its mail service (OAuth 2.0). Returns the URL to open',
  access: 'admin',
  needs: 'settings.edit',
  sessionOnly: true,
  limit: 'adminWrite',
  output: z.object({ address: z.string() }),
})
export const finishMailbox = post('/api/admin/mailbox/connect/finish', {
  summary: 'Finish connecting the mailbox with the code that the mail service sent back',
  access: 'admin',
  needs: 'settings.edit',
  sessionOnly: true,
  limit: 'adminWrite',
  body: z.object({ state: z.string().check(z.maxLength(200)), code: z.string().check(z.maxLength(4000)) }),
  output: stored,
})

const file = z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array)
export const readSampleEmail = post('/api/admin/mailbox/sample', {
  summary: 'Read one email as the mailbox would; nothing is stored',
  access: 'admin',
  needs: 'settings.edit',
  limit: 'adminWrite',
  upload: 'application/octet-stream',
  body: file,
  output: z.object({
    /** Whether the payments of this email would be recorded and listed on the desk. */
    isTrusted: z.boolean(),
    auth: z.enum(mailAuths),
    signedBy: text,
    signedAt: z.nullable(instant),
    outcome: z.enum(['payment', 'not_a_payment', 'refused', 'ignored', 'unreadable']),
    reason: text,
    /** Why the email would not be trusted even if its sender were proven; null if nothing else is wrong. */
    alsoAgainst: text,
    isKnownLayout: z.boolean(),
    payments: z.array(
      z.object({
        rail: z.enum(rails),
        direction: z.enum(['in', 'reversal']),
        amount: cents,
        currency: z.string(),
        isFinal: z.boolean(),
        payer: z.string(),
        note: z.string(),
        providerReference: text,
        paidAt: z.nullable(instant),
      }),
    ),
  }),
})
export type SampleEmail = Output<typeof readSampleEmail>
