import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, createdAt, instant } from '../columns.ts'

/** The second factor. `last_step` is the time step of the last accepted code: no code is accepted twice. */
export const twoFactor = pgTable('two_factor', {
  userId: integer('user_id').primaryKey(),
  secret: text('secret').notNull(),
  createdAt: createdAt(),
  confirmedAt: instant('confirmed_at'),
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
})

export const recoveryCodes = pgTable('recovery_codes', {
  userId: integer('user_id').primaryKey(),
  codeHash: bytes('code_hash').primaryKey(),
  usedAt: instant('used_at'),
})

/** Logins with the right password that still need the second factor. They are not sessions. */
export const pendingLogins = pgTable('pending_logins', {
  tokenHash: bytes('token_hash').primaryKey(),
  userId: integer('user_id').notNull(),
  createdAt: createdAt(),
  expiresAt: instant('expires_at').notNull(),
  failures: integer('failures').notNull().default(0),
})
