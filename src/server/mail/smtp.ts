import { createTransport, type Transporter } from 'nodemailer'
import { singleLine } from '#kit/mail-body.ts'
import { limits } from '../limits.ts'
import { isOutboundHeld } from '../outbound/outbound-gate.ts'
import type { SmtpConfig } from './smtp-address.ts'

export type Message = {
  messageId: string
  /** Stands for a sender's name that MAIL_FROM leaves out. */
  brand: string
  to: string
  replyTo: string | undefined
  subject: string
  text: string
  html: string
  attachments: { filename: string; content: Buffer; contentType: string }[]
}
export type Smtp = { send: (message: Message) => Promise<void> }
export type Patience = Pick<typeof limits.mail, 'connectMs' | 'silenceMs' | 'totalMs'>

/** Why a mail was not taken, in words without credentials. A final one would be refused again; any other may be tried later. */
export class NotTaken extends Error {
  override name = 'NotTaken'
  readonly final: boolean
  constructor(message: string, final: boolean) {
    super(message)
    this.final = final
  }
}

/** Hands mails to the operator's server, each on a connection of its own. `send` throws NotTaken and takes `totalMs` at most. */
export function smtp(
  config: SmtpConfig,
  { patience = limits.mail, ca }: { patience?: Patience; ca?: string } = {},
): Smtp {
  const transport: Transporter = createTransport({
    host: config.host,
    port: config.port,
    secure: config.tls === 'implicit',
    requireTLS: config.tls === 'required',
    ignoreTLS: config.tls === 'never',
    auth: config.auth,
    tls: { minVersion: 'TLSv1.2', ...(ca && { ca }) },
    dnsTimeout: patience.connectMs,
    connectionTimeout: patience.connectMs,
    greetingTimeout: patience.connectMs,
    socketTimeout: patience.silenceMs,
    // Nothing a mail holds may make this machine read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ messageId, brand, to, replyTo, subject, text, html, attachments }) => {
      if (await isOutboundHeld()) throw new NotTaken('This installation is not live, so it sends no mail', false)
      const { from } = config
      const deadline = AbortSignal.timeout(patience.totalMs)
      try {
        await transport.sendMail({
          messageId,
          // Addresses as parts, never as text to be taken apart again.
          envelope: { from: from.address, to: [to] },
          from: { name: singleLine(from.name || brand), address: from.address },
          to: { name: '', address: to },
          replyTo: replyTo ? { name: '', address: replyTo } : undefined,
          subject: singleLine(subject),
          text,
          html,
          attachments,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          signal: deadline,
        })
      } catch (error) {
        throw deadline.aborted
          ? new NotTaken(`The mail server took longer than ${Math.round(patience.totalMs / 1000)} seconds`, false)
          : reasonOf(error, config)
      }
    },
  }
}

type MailError = Error & { code?: string; responseCode?: number; response?: string }

/** What the server said about this mail (5xx to sender, recipient or content) is final; what it says about us, or does not say, is not. */
function reasonOf(error: unknown, { auth }: SmtpConfig): NotTaken {
  const { code = '', responseCode, response, message } = error as MailError
  const aboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  let said = singleLine(response ?? message)
  for (const secret of auth ? [auth.pass, auth.user] : [])
    for (const form of [secret, Buffer.from(secret).toString('base64')]) said = said.replaceAll(form, '(hidden)')
  return new NotTaken(
    `${said.slice(0, 300)}${code ? ` (${code})` : ''}`,
    aboutMail && (responseCode === undefined || responseCode >= 500),
  )
}
