import { audit } from '#server/audit.ts'
import { invalid, Refusal } from '#server/errors.ts'
import { findSmtp, type SmtpConnection, type UnknownSmtp } from '#server/mail/find-smtp.ts'
import { type FailedStep, MailSendError } from '#server/mail/smtp.ts'
import type { Actor } from '#server/session/actor.ts'
import { buildMessage, type SendContext } from '../service/send-mails.ts'

/**
 * Sends a test email to the administrator and returns the port and the encryption with which the server accepted it. A failure is audited. Throws
 * 400 for the field to correct.
 */
export async function sendTestMail(
  ctx: Omit<SendContext, 'loadSmtp'>,
  server: UnknownSmtp,
  { admin, requestId }: Actor,
): Promise<SmtpConnection> {
  const mail = {
    dedupeKey: `mail_server_test:${requestId}`,
    userId: admin.id,
    recipient: admin.email,
    template: 'mail_server_test',
    data: { host: server.host },
  }
  const message = await buildMessage(ctx, { ...mail, resends: 0, sealed: null })
  try {
    return await findSmtp(server, message)
  } catch (error) {
    if (!(error instanceof MailSendError)) throw error
    await audit(ctx.db, {
      actorId: admin.id,
      action: 'mail_server.test',
      targetType: 'setting',
      targetId: 'mailServer',
      after: { host: server.host, outcome: error.step },
      requestId,
    })
    return refuse(error, server, admin.email)
  }
}

const fields: Partial<Record<FailedStep, string>> = {
  private_address: 'value.host',
  name: 'value.host',
  connection: 'value.host',
  tls: 'value.host',
  certificate: 'value.host',
  sender: 'value.address',
}

function refuse({ step, message }: MailSendError, { port, auth }: UnknownSmtp, recipient: string): never {
  const said = `The server said: ${message}`
  if (step === 'login')
    return auth
      ? invalid('value.password', 'The mail server refused the username or the password.')
      : invalid('value.username', 'The mail server needs a username and a password.')
  const field = fields[step]
  if (field) return invalid(field, sentences[step]?.({ port, said }) ?? said)
  const sentence = step === 'held' ? message : `The mail server did not accept the test email to ${recipient}. ${said}`
  throw new Refusal(400, 'test_refused', sentence)
}

type Facts = { port: number | null; said: string }
const sentences: Partial<Record<FailedStep, (facts: Facts) => string>> = {
  private_address: () =>
    'The mail server has a private address, which this server may not call. To allow it, set SMTP_ALLOW_PRIVATE.',
  name: () => 'There is no server with this name. Check the spelling.',
  connection: ({ port }) =>
    `The mail server cannot be reached on ${port === null ? 'port 465, 587 or 25. If it uses another port, enter it' : `port ${port}. Check the server name and the port`}.`,
  tls: ({ port }) =>
    `The mail server does not offer encryption${port === null ? '' : ` on port ${port}`}, so the password was not sent.`,
  certificate: () => 'The certificate of the mail server is not valid for this name, so the password was not sent.',
  sender: ({ said }) => `The mail server does not accept this sender. ${said}`,
}
