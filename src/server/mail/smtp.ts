import { createTransport, type Transporter } from 'nodemailer'
import { toSingleLine } from '#kit/mail-body.ts'
import { limits } from '../limits.ts'
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
}
export type Smtp = { send: (message: Message) => Promise<void> }
export type SmtpTimeouts = Pick<typeof limits.mail, 'connectMs' | 'silenceMs' | 'totalMs'>

/** The server did not accept an email. The message contains no credentials. `final`: a retry would fail too. */
export class MailRejected extends Error {
  override name = 'MailRejected'
  readonly final: boolean
  constructor(message: string, final: boolean) {
    super(message)
    this.final = final
  }
}

/** Sends emails through the operator's SMTP server, each on its own connection. `send` throws MailRejected and takes `totalMs` at most. */
export function smtp(
  config: SmtpConfig,
  { timeouts = limits.mail, ca }: { timeouts?: SmtpTimeouts; ca?: string } = {},
): Smtp {
  const transport: Transporter = createTransport({
    host: config.host,
    port: config.port,
    secure: config.tls === 'implicit',
    requireTLS: config.tls === 'required',
    ignoreTLS: config.tls === 'never',
    auth: config.auth,
    tls: { minVersion: 'TLSv1.2', ...(ca && { ca }) },
    dnsTimeout: timeouts.connectMs,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    socketTimeout: timeouts.silenceMs,
    // The content of an email must not make nodemailer read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ messageId, brand, to, replyTo, subject, text, html, attachments }) => {
      if (await isOutboundHeld()) throw new MailRejected('This installation is not live, so it sends no email', false)
      const { from } = config
      const deadline = AbortSignal.timeout(timeouts.totalMs)
      try {
        await transport.sendMail({
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
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          signal: deadline,
        })
      } catch (error) {
        throw deadline.aborted
          ? new MailRejected(`The mail server took longer than ${Math.round(timeouts.totalMs / 1000)} seconds`, false)
          : rejectionOf(error, config)
      }
    },
  }
}

type MailError = Error & { code?: string; responseCode?: number; response?: string }

/** Converts an error. A 5xx response to sender, recipient or content is final; authentication and connection errors are not. */
function rejectionOf(error: unknown, { auth }: SmtpConfig): MailRejected {
  const { code = '', responseCode, response, message } = error as MailError
  const aboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  let reason = toSingleLine(response ?? message)
  for (const secret of auth ? [auth.pass, auth.user] : [])
    for (const form of [secret, Buffer.from(secret).toString('base64')]) reason = reason.replaceAll(form, '(hidden)')
  return new MailRejected(
    `${reason.slice(0, 300)}${code ? ` (${code})` : ''}`,
    aboutMail && (responseCode === undefined || responseCode >= 500),
  )
}
