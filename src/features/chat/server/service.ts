import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import * as settings from '#features/settings/server/service.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import { type ChatIdentity, chat as chatSchema } from '../contract.ts'
import { chosenChat } from '../rules.ts'

const environmentNames: Record<string, string> = { websiteId: 'CHAT_WEBSITE_ID', url: 'CHAT_URL' }

/** Checks the chat configuration at startup. Throws an error that names the invalid environment variables. */
export function assertChatUsable(config: Pick<Config, 'chat'>): void {
  const { error } = chatSchema.safeParse(config.chat)
  if (error)
    throw new Error(
      `The settings need attention:\n${error.issues.map((i) => `  ${environmentNames[String(i.path[0])]} ${i.message}`).join('\n')}`,
    )
}

/**
 * Returns a user's identity for the chat provider, signed with the shared key; never payment or line data. Null without a chat, without a key,
 * or when nothing can be signed: Crisp identifies users by email address only, so an unverified address is not signed.
 */
export async function identityOf(
  db: Db,
  config: Pick<Config, 'chat' | 'chatSecret'>,
  userId: number,
): Promise<ChatIdentity | null> {
  const { chat } = await settings.read(db, 'site')
  const { provider } = chosenChat(chat, config.chat)
  if (provider === 'off' || !config.chatSecret) return null
  const [user] = await db
    .select({
      username: users.username,
      fullName: users.fullName,
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
    })
    .from(users)
    .where(eq(users.id, userId))
  if (!user) return null
  const id = `user-${userId}`
  const email = user.emailVerifiedAt ? user.email : null
  const signed = provider === 'crisp' ? email : id
  return signed === null
    ? null
    : {
        id,
        name: user.fullName ?? user.username,
        email,
        hash: createHmac('sha256', config.chatSecret).update(signed).digest('hex'),
      }
}
