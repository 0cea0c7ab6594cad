import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { and, asc, eq, sql } from 'drizzle-orm'
import { formatCents } from '#kit/money.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import { users } from '#server/db/tables.ts'
import type { ImportRun, SuggestedMapping } from '../admin-contract.ts'
import { invoiceFields } from '../invoice-rules.ts'
import { columnFields, type ImportKind, reasonText } from '../rules.ts'
import { applyBatch } from './service/apply-batch.ts'
import { createImport, type Importer } from './service/create-import.ts'
import { listRows } from './service/runs.ts'

type Context = { db: Db; config: Config; say: (line: string) => void }

/**
 * Imports a file of customers or invoices from the command line: prints counts and refused rows, and with `apply` creates them. If no mapping is
 * stored for these headings, the columns are assigned as the headings suggest. Throws if no heading suggests a required column, and for an unknown
 * administrator.
 */
export async function importFile(
  context: Context,
  file: string,
  { invoices, apply, as }: { invoices: boolean; apply: boolean; as: string | undefined },
): Promise<void> {
  const { db, say } = context
  const importer = { adminId: await administratorId(db, as), requestId: `cli:${process.pid}` }
  let run = await checkFile(context, file, invoices ? 'invoices' : 'customers', importer)
  say(`Import ${run.id}: ${summary(run)}`)
  await sayRefused(context, run.id)
  if (!apply)
    return say('Nothing was created. Repeat the command with --apply, or apply the import under /admin/import.')
  do {
    run = await applyBatch(context, run.id, importer)
    say(`  ${run.counts.created} created, ${run.counts.create} remaining`)
  } while (run.state === 'applying')
  say(`Done: ${run.counts.created} created, ${run.counts.exists} already here, ${run.counts.refused} refused.`)
}

async function checkFile(context: Context, file: string, kind: ImportKind, importer: Importer): Promise<ImportRun> {
  const upload = { name: basename(file), kind, bytes: new Uint8Array(readFileSync(file)) }
  const first = await createImport(context, upload, importer)
  if (first.state === 'checked') return first.run
  const { suggested } = first
  const missing = missingIn(suggested, kind)
  if (missing) throw new Error(`No column seems to contain ${missing}: ${first.columns.join(', ')}`)
  for (const { field, label } of fieldsOf[kind])
    if (suggested[field]) context.say(`${label}: column "${suggested[field]}"`)
  const second = await createImport(context, { ...upload, mapping: JSON.stringify(suggested) }, importer)
  if (second.state === 'columns') throw new Error('Please choose the columns under /admin/import.')
  return second.run
}

const fieldsOf = { customers: columnFields, invoices: invoiceFields }
/** The label of a required field that no heading suggests a column for; undefined if there is none. */
function missingIn(suggested: SuggestedMapping, kind: ImportKind): string | undefined {
  if (kind === 'customers') return suggested.email ? undefined : 'email addresses'
  if (!suggested.email && !suggested.otherId) return 'email addresses or customer IDs'
  return invoiceFields.find(({ field, optional }) => !optional && !suggested[field])?.label
}

function summary({ kind, counts, totals }: ImportRun): string {
  const brings =
    kind === 'invoices'
      ? `${formatCents(totals.invoiced)} in total`
      : `${totals.subscriptions} with paid time, ${totals.lines} with a line, ${formatCents(totals.credit)} of credit`
  return `${counts.create} to create (${brings}), ${counts.exists} already here, ${counts.refused} refused.`
}

async function sayRefused({ db, say }: Context, runId: number): Promise<void> {
  for (let after = 0; ; ) {
    const { rows, more } = await listRows(db, runId, { verdict: 'refused', after })
    for (const { line, email, username, otherId, invoice, reason } of rows)
      say(`  row ${line}: ${invoice?.number ?? (email || username || otherId || '')} – ${reasonText(reason)}`)
    if (!more) return
    after = rows.at(-1)!.line
  }
}

/** Returns the id of the administrator who is recorded as the importer: the one with this username, or without `name` the first one. */
async function administratorId(db: Db, name: string | undefined): Promise<number> {
  const [found] = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.role, 'admin'),
        name === undefined ? undefined : eq(sql`lower(${users.username})`, name.toLowerCase()),
      ),
    )
    .orderBy(asc(users.id))
    .limit(1)
  if (!found)
    throw new Error(name === undefined ? 'There is no administrator yet.' : `${name} is not an administrator.`)
  return found.id
}
