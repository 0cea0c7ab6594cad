// Imports 50,000 customers with password hashes, credit, paid time and lines, and three earlier invoices of each, into a new database. Measures the check of
// the file, all batches, the undo, and the memory that they use. Run: npm run bench imports

import { join } from 'node:path'
import { pino } from 'pino'
import { applyBatch } from '#features/imports/server/service/apply-batch.ts'
import { createImport } from '#features/imports/server/service/create-import.ts'
import { undoBatch } from '#features/imports/server/service/undo-batch.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open.ts'
import { seedSample } from '#server/db/seed.ts'
import { dataFolder } from '../test/harness/running-app.ts'

const customers = Number(process.env.BENCH_CUSTOMERS ?? 50_000)
const invoicesOfEach = 3
const goals = { seconds: 120, memoryMb: 150, undoSeconds: 40 }
/** A goal may be exceeded by a tenth, because other programs on the machine affect the figures. */
const noise = 1.1

const data = dataFolder()
const config = readConfig({ DATA_DIR: data.path })
const database = await openDatabase(config, pino({ level: 'warn' }), join(import.meta.dirname, '../migrations'))
try {
  const { db, pool } = database
  await seedSample(db)
  await pool.query(`insert into users (username, email, password_hash, full_name, role, referral_code)
    values ('importer', 'importer@example.org', 'none', 'Importer', 'admin', 'IMPORTER')`)
  const { rows } = await pool.query<{ id: number }>("select id from users where username = 'importer'")
  const importer = { adminId: rows[0]!.id, requestId: 'bench' }
  const plan = (await pool.query<{ name: string }>('select name from plans order by id limit 1')).rows[0]!.name
  const bytes = file(plan)
  const mapping = JSON.stringify({
    ...{ email: 'Email', username: 'User', fullName: 'Name', passwordHash: 'Hash', credit: 'Credit', plan: 'Plan' },
    ...{
      paidUntil: 'Until',
      lineUsername: 'Line',
      linePassword: 'Secret',
      otherId: 'Client',
      dateFormat: 'yyyy/MM/dd',
      decimal: '.',
    },
  })
  const of = {
    customers: { name: 'customers.csv', mapping, bytes },
    invoices: { name: 'invoices.csv', kind: 'invoices' as const, ...invoices() },
  }
  const runs = [await measure(of.customers, customers), await measure(of.invoices, invoicesOfEach * customers)]
  for (const { runId, name, seconds, memoryMb, text } of runs.reverse()) {
    const undo = await undoneAfter(runId)
    console.log(`${name}: ${text}; undo ${undo.toFixed(1)} s (goal ${goals.undoSeconds} s)`)
    const isMissed = [
      [seconds, goals.seconds],
      [memoryMb, goals.memoryMb],
      [undo, goals.undoSeconds],
    ].some(([value, goal]) => value! > goal! * noise)
    if (isMissed) process.exitCode = 1
  }

  /** Checks and applies a file. Returns the id of the run, the seconds that it took, the memory in MB, and a text about them. */
  async function measure(upload: Parameters<typeof createImport>[1], rows: number) {
    const memory = watchMemory()
    const started = performance.now()
    const checked = await createImport({ db, config }, upload, importer)
    if (checked.state !== 'checked' || checked.run.counts.create !== rows) throw new Error('rows were refused')
    const applied = performance.now()
    const runId = checked.run.id
    for (let state = 'applying'; state === 'applying'; ) ({ state } = await applyBatch({ db, config }, runId, importer))
    const taken = { check: (applied - started) / 1000, apply: (performance.now() - applied) / 1000, memoryMb: memory() }
    const seconds = taken.check + taken.apply
    return {
      ...{ runId, name: upload.name, seconds, memoryMb: taken.memoryMb },
      text: `${rows} rows, ${(upload.bytes.length / 1e6).toFixed(1)} MB: check ${taken.check.toFixed(1)} s, creation ${taken.apply.toFixed(1)} s (goal ${goals.seconds} s together), ${taken.memoryMb.toFixed(0)} MB more memory (goal ${goals.memoryMb} MB)`,
    }
  }

  /** Undoes a run and returns the seconds that it took. */
  async function undoneAfter(runId: number): Promise<number> {
    const started = performance.now()
    for (let state = 'undoing'; state === 'undoing'; ) ({ state } = await undoBatch(db, runId, importer))
    return (performance.now() - started) / 1000
  }
} finally {
  await database.close()
  data.remove()
}

/** Starts watching the memory of this process. The returned function stops that and returns the maximum increase since this call, in MB. */
function watchMemory(): () => number {
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 10)
  return () => {
    clearInterval(timer)
    return (peak - before) / 1_048_576
  }
}

function file(plan: string): Uint8Array {
  const until = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10)
  // The form of a bcrypt hash.
  const hash = `$2y$10$${'abcdefghijklmnopqrstuv'}${'ABCDEFGHIJKLMNOPQRSTUVWXYZ01234'}`
  const rows = Array.from({ length: customers }, (_, n) =>
    [
      ...[`moved${n}@example.org`, `moved${n}`, `Given${n} Family${n}`, hash, n % 3 === 0 ? '5.00' : '', `"${plan}"`],
      ...[until, `line${n}`, `secret${n}`, `C${n}`],
    ].join(','),
  )
  return new TextEncoder().encode(['Email,User,Name,Hash,Credit,Plan,Until,Line,Secret,Client', ...rows].join('\n'))
}

/** Earlier invoices as CSV. Half of the rows identify their customer by email address, the others by the id in the previous system. */
function invoices(): { bytes: Uint8Array; mapping: string } {
  const rows = Array.from({ length: invoicesOfEach * customers }, (_, n) => {
    const customer = n % customers
    const found = n % 2 === 0 ? `moved${customer}@example.org,` : `,C${customer}`
    return `${found},INV-${n},2024-0${1 + (n % 9)}-15,15.00,Paid,"Gold, 1 month, 2 connections"`
  })
  return {
    bytes: new TextEncoder().encode(['Email,Client,Number,Date,Total,Status,Text', ...rows].join('\n')),
    mapping: JSON.stringify({
      ...{ email: 'Email', otherId: 'Client', number: 'Number', issuedOn: 'Date', amount: 'Total', status: 'Status' },
      ...{ description: 'Text', dateFormat: 'yyyy/MM/dd', decimal: '.' },
    }),
  }
}
