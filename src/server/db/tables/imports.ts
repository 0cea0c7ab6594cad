import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, createdAt, id, instant, oneOf } from '../columns.ts'

/** Imports of customers, one for each uploaded file. */
export const importRuns = pgTable('import_runs', {
  id: id(),
  name: text('name').notNull(),
  state: oneOf('state', ['checked', 'applying', 'applied', 'undoing', 'undone']).default('checked'),
  mapping: jsonb('mapping').$type<Record<string, string | number>>().notNull(),
  createdBy: integer('created_by').notNull(),
  createdAt: createdAt(),
  appliedBy: integer('applied_by'),
  appliedAt: instant('applied_at'),
  undoneBy: integer('undone_by'),
  undoneAt: instant('undone_at'),
  emailsBy: integer('emails_by'),
  emailsSince: instant('emails_since'),
})

/** The rows of these files, with the outcome of each. `credit` is cents; `lineUsername` is the customer's line on the panel. */
export const importRows = pgTable('import_rows', {
  rowKey: text('row_key').primaryKey(),
  runId: integer('run_id').notNull(),
  line: integer('line').notNull(),
  verdict: oneOf('verdict', ['create', 'exists', 'refused', 'created', 'undone', 'kept']),
  reason: text('reason'),
  username: text('username').notNull(),
  email: text('email').notNull(),
  fullName: text('full_name'),
  passwordHash: text('password_hash'),
  credit: integer('credit').notNull().default(0),
  planId: integer('plan_id'),
  paidUntil: instant('paid_until'),
  lineUsername: text('line_username'),
  linePassword: text('line_password'),
  userId: integer('user_id'),
  emailedAt: instant('emailed_at'),
})

/** Which column contains which field, by the hash of the headings. */
export const importMappings = pgTable('import_mappings', {
  signature: bytes('signature').primaryKey(),
  mapping: jsonb('mapping').$type<Record<string, string | number>>().notNull(),
  savedBy: integer('saved_by').notNull(),
  savedAt: instant('saved_at').notNull().default(sql`now()`),
})
