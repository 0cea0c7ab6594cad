import type { MailStatus } from './admin-contract.ts'
import type { MailServer } from './contract.ts'

/** The default is no mail server: emails are written to the mail log and not sent. */
export const defaultMailServer: MailServer = {
  ...{ host: '', port: null, username: '', address: '', name: '', ca: '' },
  connection: { port: 465, tls: 'implicit' },
}

/** Minutes between a failed attempt and the next attempt. After the last one, the email counts as failed. */
export const retryDelays = [1, 5, 15, 60] as const

export const statusNames: Record<MailStatus, string> = {
  queued: 'Queued',
  sent: 'Sent',
  failed: 'Failed',
  kept: 'Not sent',
}

/** Returns how many minutes to wait after this number of attempts; undefined if no attempt is left. */
export const retryDelayAfter = (attempts: number): number | undefined => retryDelays[attempts - 1]

/** Whether an administrator may resend an email: not while it is queued, and not if it needs a link that was deleted. */
export const canResend = (mail: { status: MailStatus; needsLink: boolean; hasLink: boolean }): boolean =>
  mail.status !== 'queued' && (!mail.needsLink || mail.hasLink)

/** Whether an administrator may see the secret link of an email: only if the email was not sent because there is no mail server. */
export const canReveal = (mail: { status: MailStatus; hasLink: boolean }): boolean =>
  mail.status === 'kept' && mail.hasLink
