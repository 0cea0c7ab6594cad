// Admin endpoints of imports: upload, rows with their verdicts, applying and undoing in batches, emails, and deletion of a run.
import * as z from 'zod/mini'
import { get, post } from '#kit/endpoint.ts'
import { cents, id, idParam, instant } from '#kit/text.ts'
import { earlierStatuses, type InvoiceField, invoiceFields } from './invoice-rules.ts'
import { type ColumnField, columnFields, importKinds, runStates, verdicts } from './rules.ts'

const heading = z.string().check(z.minLength(1), z.maxLength(100, 'Please shorten the headings in the file'))
const optionalColumns = <Field extends string>(fields: readonly { field: Field }[]) =>
  Object.fromEntries(fields.map(({ field }) => [field, z.optional(heading)])) as {
    [Each in Field]: z.ZodMiniOptional<typeof heading>
  }
/** The length of the plan in months, for files without such a column. */
const planMonths = z.optional(z.int().check(z.gte(1), z.lte(60)))
const valueStyle = {
  dateFormat: z.enum(['MM/dd/yyyy', 'dd/MM/yyyy', 'yyyy/MM/dd']),
  decimal: z.enum(['.', ',']),
}
/** Maps fields to the headings of the columns of a customer file, and says how its dates and amounts are written. */
export const importMapping = z.object({
  ...optionalColumns<ColumnField>(columnFields),
  email: heading,
  planMonths,
  ...valueStyle,
})
export type ImportMapping = z.output<typeof importMapping>
/** The same mapping for an invoice file. Each customer is found by email address or by the id in the other system. */
export const invoiceMapping = z
  .object({
    ...optionalColumns<InvoiceField>(invoiceFields),
    number: heading,
    issuedOn: heading,
    amount: heading,
    status: heading,
    ...valueStyle,
  })
  .check(
    z.refine(({ email, otherId }) => email !== undefined || otherId !== undefined, {
      error: 'Please choose the column of the email address or of the customer ID',
    }),
  )
export type InvoiceMapping = z.output<typeof invoiceMapping>
const suggestedMapping = z.partial(
  z.object({
    ...optionalColumns<ColumnField>(columnFields),
    ...optionalColumns<InvoiceField>(invoiceFields),
    planMonths,
    ...valueStyle,
  }),
)
export type SuggestedMapping = z.output<typeof suggestedMapping>

const runParams = z.object({ runId: idParam })
const count = z.int()
export const importRun = z.object({
  id,
  name: z.string(),
  kind: z.enum(importKinds),
  state: z.enum(runStates),
  by: z.string(),
  at: instant,
  appliedAt: z.nullable(instant),
  undoneAt: z.nullable(instant),
  /** `emailsSince`: when emailing the customers was started. `emailed`: how many of them were emailed, or skipped because they had logged in. */
  emailsSince: z.nullable(instant),
  emailed: count,
  counts: z.object({
    create: count,
    exists: count,
    refused: count,
    created: count,
    undone: count,
    kept: count,
  }),
  /** The totals of the rows that will be or were created. */
  totals: z.object({ credit: cents, subscriptions: count, lines: count, invoiced: cents }),
})
export type ImportRun = z.output<typeof importRun>

export const createImport = post('/api/admin/imports', {
  summary:
    'Check a file of customers or of their earlier invoices, and store for each row what applying the import would do. No account is changed',
  access: 'admin',
  needs: 'imports.edit',
  limit: 'adminWrite',
  upload: 'text/csv',
  query: z.object({
    name: z.string().check(z.minLength(1), z.maxLength(400, 'The file name is too long')),
    /** What the file contains; customers by default. */
    kind: z.optional(z.enum(importKinds)),
    /** `importMapping` or `invoiceMapping` as JSON; without it, the mapping of the last file with the same headings is used. */
    mapping: z.optional(z.string().check(z.maxLength(4_000))),
  }),
  body: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
  output: z.discriminatedUnion('state', [
    z.object({ state: z.literal('checked'), run: importRun }),
    /** The administrator must assign the columns to fields. Contains the headings, the first rows, and the mapping that the headings suggest. */
    z.object({
      state: z.literal('columns'),
      columns: z.array(z.string()),
      sample: z.array(z.array(z.string())),
      suggested: suggestedMapping,
    }),
  ]),
})
export const listImports = get('/api/admin/imports', {
  summary: 'The latest 20 imports',
  access: 'admin',
  needs: 'imports.read',
  dependsOn: ['user'],
  output: z.array(importRun),
})
export const getImport = get('/api/admin/imports/:runId', {
  summary: 'An import with its counts',
  access: 'admin',
  needs: 'imports.read',
  dependsOn: ['user'],
  params: runParams,
  output: importRun,
})
const importRow = z.object({
  line: z.int(),
  verdict: z.enum(verdicts),
  reason: z.nullable(z.string()),
  username: z.string(),
  email: z.string(),
  credit: cents,
  plan: z.nullable(z.string()),
  paidUntil: z.nullable(instant),
  lineUsername: z.nullable(z.string()),
  userId: z.nullable(id),
  /** The customer's id in the other system. */
  otherId: z.nullable(z.string()),
  /** The values of a row of an invoice file, null where a value could not be read; null for a row of a customer file. */
  invoice: z.nullable(
    z.object({
      number: z.nullable(z.string()),
      issuedOn: z.nullable(z.string()),
      amount: z.nullable(cents),
      status: z.nullable(z.enum(earlierStatuses)),
    }),
  ),
})
export type ImportRow = z.output<typeof importRow>
export const listImportRows = get('/api/admin/imports/:runId/rows', {
  summary: 'The next 100 rows of an import, in the order of the file',
  access: 'admin',
  needs: 'imports.read',
  dependsOn: ['user'],
  params: runParams,
  query: z.object({
    verdict: z.optional(z.enum(verdicts)),
    after: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(0), z.lte(2147483647))),
  }),
  output: z.object({ rows: z.array(importRow), more: z.boolean() }),
})
export const applyImport = post('/api/admin/imports/:runId/apply', {
  summary: 'Create the next 1,000 customers or 5,000 invoices of an import. Repeat it until its state is applied',
  access: 'admin',
  needs: 'imports.edit',
  limit: 'adminWrite',
  params: runParams,
  output: importRun,
})
export const undoImport = post('/api/admin/imports/:runId/undo', {
  summary:
    'Remove the next 1,000 customers or 5,000 invoices of an import; refused if an account that it created was used. Repeat it until its state is undone',
  access: 'admin',
  needs: 'imports.edit',
  limit: 'adminWrite',
  params: runParams,
  output: importRun,
})
export const emailImport = post('/api/admin/imports/:runId/email', {
  summary: 'Email the customers of an applied import how to log in, 30 emails per minute',
  access: 'admin',
  needs: 'imports.edit',
  limit: 'adminWrite',
  params: runParams,
  output: importRun,
})
export const removeImport = post('/api/admin/imports/:runId/remove', {
  summary: 'Delete an import that was not applied',
  access: 'admin',
  needs: 'imports.edit',
  limit: 'adminWrite',
  params: runParams,
  output: z.object({ removed: z.literal(true) }),
})
