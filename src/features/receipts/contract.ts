import * as z from 'zod/mini'
import { post } from '#kit/endpoint.ts'
import { singleLine } from '#kit/text.ts'

const text = (max = 120) => singleLine(0, max, '')
const port = 'Please enter a port from 1 to 65535'
const folder = 'Please enter the folder, such as INBOX'

/** How the connection is encrypted: `implicit` from the first byte, `starttls` after the STARTTLS command. Unencrypted connections are not supported. */
export const mailboxTls = z.enum(['implicit', 'starttls'])
const connection = {
  host: text(253).check(
    z.refine((host) => /^[\w.:-]*$/.test(host), 'Please enter a host name such as imap.mail.example, without https://'),
  ),
  port: z.int(port).check(z.gte(1, port), z.lte(65_535, port)),
  tls: mailboxTls,
  username: text(254),
  folder: singleLine(1, 200, folder),
  /** The certificates (PEM) of the operator's own certificate authority; empty for public authorities. */
  ca: z.string().check(
    z.overwrite<string>((value) => value.trim()),
    z.maxLength(20_000, 'Please use at most 20,000 characters'),
  ),
}
const httpsAddress = text(300).check(
  z.refine(
    (address) => address === '' || /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)[:/])\S+$/.test(address),
    'Please enter an address that begins with https://',
  ),
)
/** How the reader logs in: with a password, or with the consent that the mailbox owner gave at the mail service (OAuth 2.0). */
const login = {
  login: z._default(z.enum(['password', 'google', 'microsoft', 'other']), 'password'),
  clientId: z._default(text(300), ''),
  /** The OAuth URLs and scope; only used if `login` is `other`. */
  authorizeUrl: z._default(httpsAddress, ''),
  exchangeUrl: z._default(httpsAddress, ''),
  scope: z._default(text(500), ''),
}
const listOf = (max: number, empty: string) =>
  z.array(singleLine(1, max, empty)).check(z.maxLength(10, 'Please enter at most 10'))
const account = {
  /** The email addresses that payment services write to. If this is empty, the username is used. */
  addresses: listOf(254, 'Please enter the address or remove it'),
  /** The names of the operator's accounts. If the list is not empty, a recipient name in an email must be one of them. */
  accountNames: listOf(120, 'Please enter the name or remove it'),
  /** The last digits of the operator's bank accounts. If the list is not empty, account digits in an email must be among them. */
  accountEndings: listOf(12, 'Please enter the digits or remove them'),
  /** The authserv-id: the name that identifies the mail server's own verdicts in `Authentication-Results` headers. */
  authservId: text(253),
  /** Whose emails open a new ticket if they are not replies to an existing one. */
  newTickets: z._default(z.enum(['off', 'customers', 'everyone']), 'off'),
}

/** The settings of the mailbox of payment emails. The password is stored separately, sealed. */
export const mailbox = z.object({ enabled: z.boolean(), ...connection, ...login, ...account })
export type MailboxSettings = z.output<typeof mailbox>

type Login = Pick<MailboxSettings, 'login' | 'clientId' | 'authorizeUrl' | 'exchangeUrl' | 'scope'>
type Address = { host: string; username: string }
const needsHost = { path: ['host'], message: 'Please enter the mail server' }
const needsUser = { path: ['username'], message: 'Please enter the username' }
const password = z.string().check(z.maxLength(500, 'Please use at most 500 characters'))
/** The settings that are needed to test the connection. If the password is empty, the stored one is used. */
export const mailboxConnection = z.object({ ...connection, password, login: login.login }).check(
  z.refine<Address>(({ host }) => host !== '', needsHost),
  z.refine<Address>(({ username }) => username !== '', needsUser),
)
/** The form of the Payment Mailbox section. */
export const mailboxForm = z
  .object({
    enabled: z.boolean(),
    ...connection,
    ...login,
    password,
    clientSecret: z._default(password, ''),
    ...account,
  })
  .check(
    z.refine<Address & { enabled: boolean }>(({ enabled, host }) => !enabled || host !== '', needsHost),
    z.refine<Address & { enabled: boolean }>(({ enabled, username }) => !enabled || username !== '', needsUser),
    z.refine<Login>(({ login, clientId }) => login === 'password' || clientId !== '', {
      path: ['clientId'],
      message: 'Please enter the client ID',
    }),
    ...(['authorizeUrl', 'exchangeUrl', 'scope'] as const).map((field) =>
      z.refine<Login>((form) => form.login !== 'other' || form[field] !== '', {
        path: [field],
        message: 'Please enter this setting of your mail service',
      }),
    ),
  )
export type MailboxForm = z.output<typeof mailboxForm>

const event = z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array)
const webhook = {
  access: 'public',
  limit: 'webhook',
  upload: 'application/json',
  body: event,
  output: z.object({ received: z.literal(true) }),
} as const
export const stripeEvent = post('/api/webhooks/stripe', {
  summary: 'An event of Stripe, signed in the header Stripe-Signature; 404 while Stripe is off',
  ...webhook,
  signedBy: 'stripe-signature',
})
export const btcpayEvent = post('/api/webhooks/btcpay', {
  summary: 'An event of BTCPay Server, signed in the header BTCPay-Sig; 404 while BTCPay Server is off',
  ...webhook,
  signedBy: 'btcpay-sig',
})
