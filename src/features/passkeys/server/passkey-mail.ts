import type { Tx } from '#server/db/connect.ts'
import { enqueueMail } from '#server/mail/enqueue-mail.ts'

type Change = { change: 'added' | 'removed'; name: string }

/** Emails a user that a passkey was added or removed. */
export async function emailPasskeyChange(
  tx: Tx,
  user: { id: number; username: string; email: string },
  change: Change,
  requestId: string,
): Promise<void> {
  await enqueueMail(tx, {
    dedupeKey: `passkey_changed:${requestId}`,
    userId: user.id,
    recipient: user.email,
    template: 'passkey_changed',
    data: { username: user.username, ...change },
  })
}
