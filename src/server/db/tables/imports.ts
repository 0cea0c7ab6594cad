import { sql } from 'drizzle-orm'
import { date, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { bigId, bytes, createdAt, id, instant, oneOf } from '../columns.ts'

/** Imports of customers or of their earlier invoices, one for each uploaded file. */
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
 * The rows of these files, with the outcome of each. `credit` and `invoiceCents` are cents; `lineUsername` is the customer's line on the panel;
 * `otherId` is the customer's id in the other system.
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

/** Invoices of another system, shown to their customers. `amount` is cents. No figure counts them. */
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

/** Which column contains which field, by the hash of the headings. */
export const importMappings = pgTable('import_mappings', {
  signature: bytes('signature').primaryKey(),
  mapping: jsonb('mapping').$type<Record<string, string | number>>().notNull(),
  savedBy: integer('saved_by').notNull(),
  savedAt: instant('saved_at').notNull().default(sql`now()`),
})
