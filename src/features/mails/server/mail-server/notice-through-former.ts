import { like } from 'drizzle-orm'
import { mails } from '#server/db/tables.ts'
import { smtp } from '#server/mail/smtp.ts'
import type { SmtpConfig } from '#server/mail/smtp-address.ts'
import { buildMessage, type SendContext } from '../service/send-mails.ts'

/**
 * Sends the notice about the new mail server through the former mail server too, because an attacker who controls the new server would not deliver the
 * notice. A failure is only logged, because the former server may no longer exist.
 */
export async function sendNoticeThroughFormer(
  ctx: Omit<SendContext, 'loadSmtp'>,
  former: SmtpConfig,
  requestId: string,
): Promise<void> {
  const notices = await ctx.db
    .select()
    .from(mails)
    .where(like(mails.dedupeKey, `admin\\_notice:mail\\_server\\_changed:${requestId}:%`))
  const client = smtp(former)
  await Promise.all(
    notices.map(async (notice) => {
      try {
        await client.send(await buildMessage(ctx, notice))
      } catch (error) {
        ctx.log.warn(
          { mail: notice.id, message: (error as Error).message },
          'notice not sent by the former mail server',
        )
      }
    }),
  )
}
