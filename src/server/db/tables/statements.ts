import { sql } from 'drizzle-orm'
import { bigint, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, id, instant } from '../columns.ts'

/** Booked statements. The counts are rows of the file; `newCents` is the sum of the new payments. */
export const statementFiles = pgTable('statement_files', {
  id: id(),
  sha256: bytes('sha256').notNull(),
  name: text('name').notNull(),
  format: text('format').notNull(),
  account: text('account'),
  newLines: integer('new_lines').notNull(),
  knownLines: integer('known_lines').notNull(),
  skippedLines: integer('skipped_lines').notNull(),
  unreadableLines: integer('unreadable_lines').notNull(),
  newCents: bigint('new_cents', { mode: 'number' }).notNull(),
  uploadedBy: integer('uploaded_by').notNull(),
  uploadedAt: instant('uploaded_at').notNull().default(sql`now()`),
  withdrawnBy: integer('withdrawn_by'),
  withdrawnAt: instant('withdrawn_at'),
})

/** The rows of statements that report payments. */
export const paymentReceipts = pgTable('payment_receipts', {
  fileId: integer('file_id').primaryKey(),
  sourceKey: text('source_key').primaryKey(),
  paymentId: bigint('payment_id', { mode: 'number' }).notNull(),
  line: integer('line').notNull(),
})

/** Which columns contain which fields in tables of unknown format, by the hash of their headings. */
export const statementMappings = pgTable('statement_mappings', {
  signature: bytes('signature').primaryKey(),
  mapping: jsonb('mapping').$type<Record<string, string>>().notNull(),
  savedBy: integer('saved_by').notNull(),
  savedAt: instant('saved_at').notNull().default(sql`now()`),
})
