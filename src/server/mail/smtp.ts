import { isIP } from 'node:net'
import type { Transporter } from 'nodemailer'
import { toSingleLine } from '#kit/mail-body.ts'
import { limits } from '../limits.ts'
import { addressesOf, PrivateAddressError } from '../outbound/addresses.ts'
import { isOutboundHeld } from '../outbound/outbound-gate.ts'
import type { SmtpConfig } from './smtp-address.ts'

export type Message = {
  messageId: string
  /** The sender name if MAIL_FROM has none. */
  brand: string
  to: string
  replyTo: string | undefined
  subject: string
  text: string
  html: string
  attachments: { filename: string; content: Buffer; contentType: string }[]
  /** A POST request to this URL turns off emails of this kind (RFC 8058). In a browser, the URL shows a page that does the same. */
  unsubscribeUrl?: string | undefined
}
export type Smtp = { send: (message: Message) => Promise<void> }
export type SmtpTimeouts = Pick<typeof limits.mail, 'connectMs' | 'silenceMs' | 'totalMs'>

/** The step at which sending an email failed. `held`: nothing was sent, because the installation is not live. `name`: the host name was not found. */
export type FailedStep =
  | 'held'
  | 'private_address'
  | 'name'
  | 'connection'
  | 'tls'
  | 'certificate'
  | 'login'
  | 'sender'
  | 'recipient'
  | 'message'

/** Thrown if an email could not be sent. The error message contains no credentials. `final`: a retry would fail too. */
export class MailSendError extends Error {
  override name = 'MailSendError'
  readonly step: FailedStep
  readonly final: boolean
  constructor(message: string, step: FailedStep, final = false) {
    super(message)
    this.step = step
    this.final = final
  }
}

/** Sends emails through the operator's SMTP server, each on its own connection. `send` throws MailSendError and takes at most `totalMs`. */
export function smtp(config: SmtpConfig, { timeouts = limits.mail }: { timeouts?: SmtpTimeouts } = {}): Smtp {
  return {
    send: async ({ messageId, brand, to, replyTo, subject, text, html, attachments, unsubscribeUrl }) => {
      if (await isOutboundHeld()) throw new MailSendError('This installation is not live, so it sends no email', 'held')
      const { from } = config
      const deadline = AbortSignal.timeout(timeouts.totalMs)
      try {
        await (await openTransport(config, timeouts)).sendMail({
          messageId,
          // Addresses as objects, so that nodemailer does not parse them.
          envelope: { from: from.address, to: [to] },
          from: { name: toSingleLine(from.name || brand), address: from.address },
          to: { name: '', address: to },
          replyTo: replyTo ? { name: '', address: replyTo } : undefined,
          subject: toSingleLine(subject),
          text,
          html,
          attachments,
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(unsubscribeUrl && {
              'List-Unsubscribe': `<${unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          signal: deadline,
        })
      } catch (error) {
        throw deadline.aborted
          ? new MailSendError(
              `The mail server took longer than ${Math.round(timeouts.totalMs / 1000)} seconds`,
              'connection',
            )
          : mailSendErrorOf(error, config)
      }
    },
  }
}

async function openTransport(
  { host, port, tls, auth, ca, isPublicOnly }: SmtpConfig,
  { connectMs, silenceMs }: SmtpTimeouts,
): Promise<Transporter> {
  const [checked] = isPublicOnly ? await addressesOf(host, { allowPrivate: false }) : []
  // Loaded on first use: the CLI and processes without a mail server send no email.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    // Connect to the IP address that was checked, but verify the certificate for the host name.
    host: checked?.address ?? host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'never',
    auth,
    tls: { minVersion: 'TLSv1.2', ...(checked && isIP(host) === 0 && { servername: host }), ...(ca && { ca }) },
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    // The content of an email must not make nodemailer read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

type MailError = Error & { code?: string; command?: string; responseCode?: number; response?: string }

/** Converts a nodemailer error. A 5xx response to sender, recipient or content is final. Authentication and connection errors are not final. */
function mailSendErrorOf(error: unknown, { auth }: SmtpConfig): MailSendError {
  if (error instanceof PrivateAddressError)
    return new MailSendError('The mail server has a private address, which this server may not call', 'private_address')
  const { code = '', responseCode, response, message } = error as MailError
  const aboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  let reason = toSingleLine(response ?? message)
  for (const secret of auth ? [auth.pass, auth.user] : [])
    for (const form of [secret, Buffer.from(secret).toString('base64')]) reason = reason.replaceAll(form, '(hidden)')
  return new MailSendError(
    `${reason.slice(0, 300)}${code ? ` (${code})` : ''}`,
    failedStep(error as MailError),
    aboutMail && (responseCode === undefined || responseCode >= 500),
  )
}

function failedStep({ code = '', command = '', responseCode, message }: MailError): FailedStep {
  // 530: the server requires a login before it accepts a sender.
  if (code === 'EAUTH' || responseCode === 530) return 'login'
  if (code === 'EENVELOPE') return command.startsWith('RCPT') ? 'recipient' : 'sender'
  if (code === 'EMESSAGE') return 'message'
  if (/^(EDNS|ENOTFOUND|EAI_AGAIN)$/.test(code)) return 'name'
  if (/certificate|altnames/i.test(message)) return 'certificate'
  return code === 'ETLS' || /SSL routines/.test(message) ? 'tls' : 'connection'
}
