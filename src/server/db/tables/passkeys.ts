import { bigint, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, createdAt, id, instant } from '../columns.ts'

export const passkeys = pgTable('passkeys', {
  id: id(),
  userId: integer('user_id').notNull(),
  credentialId: text('credential_id').notNull(),
  publicKey: bytes('public_key').notNull(),
  counter: bigint('counter', { mode: 'number' }).notNull().default(0),
  transports: jsonb('transports').$type<string[]>().notNull(),
  name: text('name').notNull(),
  createdAt: createdAt(),
  lastUsedAt: instant('last_used_at'),
})

/** One-time challenges for a device to sign. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  challengeHash: bytes('challenge_hash').primaryKey(),
  userId: integer('user_id'),
  createdAt: createdAt(),
  expiresAt: instant('expires_at').notNull(),
})
