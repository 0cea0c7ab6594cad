import { like } from 'drizzle-orm'
import { mails } from '#server/db/tables.ts'
import { smtp } from '#server/mail/smtp.ts'
import type { SmtpConfig } from '#server/mail/smtp-address.ts'
import { buildMessage, type SendContext } from '../service/send-mails.ts'

/**
 * Sends the notice about the new mail server through the former one too: a new server that is controlled by an attacker would not deliver it. A failure
 * is logged only, since the former server may be gone.
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
