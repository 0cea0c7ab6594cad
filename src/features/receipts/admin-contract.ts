// Admin endpoints for statements: preview, booking, the list of booked statements and their withdrawal.
import * as z from 'zod/mini'
import { caseKinds } from '#features/payments/rules.ts'
import { get, post } from '#kit/endpoint.ts'
import { cents, id, idParam, instant } from '#kit/text.ts'
import { type RowReason, rowReasons, verdicts } from './rules.ts'

const nullableText = z.nullable(z.string())
const heading = z.string().check(z.minLength(1), z.maxLength(100, 'Please shorten the headings of the file'))
/** Which heading of a table belongs to which field, and the format of its dates and amounts. */
export const columnMapping = z
  .object({
    date: heading,
    name: z.optional(heading),
    note: z.optional(heading),
    amount: z.optional(heading),
    credit: z.optional(heading),
    debit: z.optional(heading),
    reference: z.optional(heading),
    dateFormat: z.enum(['MM/dd/yyyy', 'dd/MM/yyyy', 'yyyy/MM/dd']),
    decimal: z.enum(['.', ',']),
  })
  .check(z.refine(({ amount, credit }) => Boolean(amount ?? credit), 'Please choose the column of the amount'))
export type ColumnMapping = z.output<typeof columnMapping>

const fileQuery = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(400, 'The name of the file is too long')),
  /** `columnMapping` as JSON, for a table whose format is not known. */
  mapping: z.optional(z.string().check(z.maxLength(4_000))),
})
const file = z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array)

const previewRow = z.object({
  /** The number of the line in the file where the row begins, from 1. In CAMT.053 files it is the number of the entry. */
  line: z.int(),
  verdict: z.enum(verdicts),
  paidOn: nullableText,
  amount: z.nullable(cents),
  /** The currency of the amount (ISO 4217). */
  currency: z.string(),
  payer: z.string(),
  note: z.string(),
  kind: z.nullable(z.enum(caseKinds)),
  invoiceNumber: nullableText,
  customer: nullableText,
  /** The recorded payment that a known row reports. */
  paymentId: z.nullable(z.int()),
  reason: z.nullable(z.enum(Object.keys(rowReasons) as [RowReason, ...RowReason[]])),
})
export type PreviewRow = z.output<typeof previewRow>

const bookedBy = z.object({ id, by: z.string(), at: instant })
const statementPreview = z.object({
  state: z.literal('preview'),
  format: z.string(),
  account: nullableText,
  /** The columns that were used, for a table whose columns an administrator chose; otherwise null. `columns` are the headings to choose from. */
  mapping: z.nullable(columnMapping),
  columns: z.array(z.string()),
  sample: z.array(z.array(z.string())),
  /** Set if the same file is already booked. */
  booked: z.nullable(bookedBy),
  counts: z.object({ exact: z.int(), check: z.int(), known: z.int(), skipped: z.int(), unreadable: z.int() }),
  newCents: cents,
  /** The first 500 rows of each verdict, in the order of the file. */
  lines: z.array(previewRow),
})
export type StatementPreview = z.output<typeof statementPreview>
/** A table of unknown format: its headings and first rows. */
const unknownColumns = z.object({
  state: z.literal('columns'),
  columns: z.array(z.string()),
  sample: z.array(z.array(z.string())),
})
export const previewStatement = post('/api/admin/statements/preview', {
  summary: 'Read a statement and compare it with the payment book. Nothing is stored',
  access: 'admin',
  needs: 'payments.decide',
  limit: 'adminWrite',
  upload: 'application/octet-stream',
  query: fileQuery,
  body: file,
  output: z.discriminatedUnion('state', [statementPreview, unknownColumns]),
})

const statementFile = z.object({
  id,
  name: z.string(),
  format: z.string(),
  counts: z.object({ new: z.int(), known: z.int(), skipped: z.int(), unreadable: z.int() }),
  newCents: cents,
  by: z.string(),
  at: instant,
  withdrawn: z.nullable(z.object({ by: z.string(), at: instant })),
  /** The number of decided payments among those that this statement added. Above 0 it cannot be withdrawn. */
  decided: z.int(),
})
export type StatementFile = z.output<typeof statementFile>
export const bookStatement = post('/api/admin/statements', {
  summary: 'Record the new payments of a statement, all or none',
  access: 'admin',
  needs: 'payments.decide',
  limit: 'adminWrite',
  upload: 'application/octet-stream',
  query: z.extend(fileQuery, {
    /** The number of new payments that the preview showed. */
    expectedNew: z.coerce.number<string | number>().check(z.int(), z.gte(0), z.lte(50_000)),
    /** Leave out the rows that cannot be read. */
    skipUnreadable: z.optional(z.literal('true')),
  }),
  body: file,
  output: statementFile,
})
export const listStatements = get('/api/admin/statements', {
  summary: 'The latest 50 statements that were booked',
  access: 'admin',
  needs: 'payments.read',
  dependsOn: ['payment'],
  output: z.array(statementFile),
})
export const withdrawStatement = post('/api/admin/statements/:statementId/withdraw', {
  summary: 'Withdraw a statement if none of its payments is decided',
  access: 'admin',
  needs: 'payments.decide',
  limit: 'adminWrite',
  params: z.object({ statementId: idParam }),
  output: statementFile,
})
