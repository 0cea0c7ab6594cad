import type { Tx } from '#server/db/connect.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'

/** Emails a user that two-step verification was turned on, turned off, or turned off by an administrator (`reset`). */
export async function emailTwoFactorChange(
  tx: Tx,
  user: { id: number; username: string; email: string },
  change: 'on' | 'off' | 'reset',
  requestId: string,
): Promise<void> {
  await enqueueMail(tx, {
    dedupeKey: `two_factor_changed:${requestId}`,
    userId: user.id,
    recipient: user.email,
    template: 'two_factor_changed',
    data: { username: user.username, change },
  })
}
