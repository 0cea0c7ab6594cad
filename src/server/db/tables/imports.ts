import { sql } from 'drizzle-orm'
import { date, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, bytes, createdAt, id, instant, oneOf } from '../columns.ts'

/**
 * Imports, one for each uploaded file of customers or of their earlier invoices. `mapping` says which column contains which field. `emailsBy` is the
 * administrator who started the emails to the new customers, and `emailsSince` when.
 */
export const importRuns = pgTable('import_runs', {
  id: id(),
  name: text('name').notNull(),
  kind: oneOf('kind', ['customers', 'invoices']).default('customers'),
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

/**
 * The rows of the uploaded files, with the outcome of each. `rowKey` is `runId:line`, and `line` is the number of the row in the file. `credit` and
 * `invoiceCents` are in cents. `lineUsername` and `linePassword` belong to the customer's line on the panel; `otherId` is the customer's id in the other
 * system.
 */
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
  otherId: text('other_id'),
  invoiceNumber: text('invoice_number'),
  invoiceDate: date('invoice_date'),
  invoiceCents: integer('invoice_cents'),
  invoiceStatus: text('invoice_status', { enum: ['paid', 'unpaid', 'cancelled', 'refunded'] }),
  invoiceDescription: text('invoice_description'),
})

/** Invoices from another system, shown to their customers but not counted in business figures. `amount` is in cents. */
export const earlierInvoices = pgTable('earlier_invoices', {
  id: bigId(),
  userId: integer('user_id').notNull(),
  runId: integer('run_id').notNull(),
  number: text('number').notNull(),
  issuedOn: date('issued_on').notNull(),
  description: text('description'),
  amount: integer('amount').notNull(),
  status: oneOf('status', ['paid', 'unpaid', 'cancelled', 'refunded']),
})

/** Saved mappings, which are proposed for the next file with the same headings. `signature` is the hash of the headings. */
export const importMappings = pgTable('import_mappings', {
  signature: bytes('signature').primaryKey(),
  mapping: jsonb('mapping').$type<Record<string, string | number>>().notNull(),
  savedBy: integer('saved_by').notNull(),
  savedAt: instant('saved_at').notNull().default(sql`now()`),
})
