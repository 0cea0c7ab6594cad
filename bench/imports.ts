// An import of 50,000 customers with password hashes, credit, paid time and lines: the check of the file, all batches, and the undo, in a new database, with
// the memory it takes. Run: npm run bench imports

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
const goals = { seconds: 120, memoryMb: 150 }
/** A busy machine must not fail the bench. */
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
    ...{ paidUntil: 'Until', lineUsername: 'Line', linePassword: 'Secret', dateFormat: 'yyyy/MM/dd', decimal: '.' },
  })
  const memory = watchMemory()
  const started = performance.now()
  const checked = await createImport({ db, config }, { name: 'customers.csv', mapping, bytes }, importer)
  if (checked.state !== 'checked' || checked.run.counts.create !== customers) throw new Error('rows were refused')
  const applied = performance.now()
  for (let state = 'applying'; state === 'applying'; )
    ({ state } = await applyBatch({ db, config }, checked.run.id, importer))
  const done = performance.now()
  const taken = { check: (applied - started) / 1000, apply: (done - applied) / 1000, memoryMb: memory() }
  for (let state = 'undoing'; state === 'undoing'; ) ({ state } = await undoBatch(db, checked.run.id, importer))
  const undo = (performance.now() - done) / 1000
  const seconds = taken.check + taken.apply
  console.log(
    `${customers} customers, ${(bytes.length / 1e6).toFixed(1)} MB: check ${taken.check.toFixed(1)} s, creation ${taken.apply.toFixed(1)} s (goal ${goals.seconds} s together), ${taken.memoryMb.toFixed(0)} MB more memory (goal ${goals.memoryMb} MB); undo ${undo.toFixed(1)} s`,
  )
  if (seconds > goals.seconds * noise || taken.memoryMb > goals.memoryMb * noise) process.exitCode = 1
} finally {
  await database.close()
  data.remove()
}

/** The most memory of this process above the memory at the call, in MB. */
function watchMemory(): () => number {
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 10)
  return () => {
    clearInterval(timer)
    return (most - before) / 1_048_576
  }
}

function file(plan: string): Uint8Array {
  const until = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10)
  // The form of a bcrypt hash.
  const hash = `$2y$10$${'abcdefghijklmnopqrstuv'}${'ABCDEFGHIJKLMNOPQRSTUVWXYZ01234'}`
  const rows = Array.from({ length: customers }, (_, n) =>
    [
      ...[`moved${n}@example.org`, `moved${n}`, `Given${n} Family${n}`, hash, n % 3 === 0 ? '5.00' : '', `"${plan}"`],
      ...[until, `line${n}`, `secret${n}`],
    ].join(','),
  )
  return new TextEncoder().encode(['Email,User,Name,Hash,Credit,Plan,Until,Line,Secret', ...rows].join('\n'))
}
