import type { MailStatus } from './contract.ts'

/** Minutes between a try that failed and the next; after the last one the mail has failed. */
export const pauses = [1, 5, 15, 60] as const

export const statusNames: Record<MailStatus, string> = {
  queued: 'Queued',
  sent: 'Sent',
  failed: 'Failed',
  kept: 'Kept',
}

/** How many minutes to wait after so many tries; undefined when that was the last. */
export const pauseAfter = (attempts: number): number | undefined => pauses[attempts - 1]

/** Whether an administrator may send it again: not what waits already, and nothing whose link is gone. */
export const canResend = (mail: { status: MailStatus; needsLink: boolean; hasLink: boolean }): boolean =>
  mail.status !== 'queued' && (!mail.needsLink || mail.hasLink)

/** Whether its link may be shown to an administrator: only where no server sends it to its reader. */
export const canReveal = (mail: { status: MailStatus; hasLink: boolean }): boolean =>
  mail.status === 'kept' && mail.hasLink
