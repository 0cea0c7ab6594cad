import type { Tx } from '#server/db/connect.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'

/** Tells a user by mail that their second step was switched on, off, or off by an administrator. */
export async function tellTwoFactor(
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
