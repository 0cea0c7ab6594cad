import { connect } from '#server/db/connect.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { silentLog } from './silent-log.ts'

/**
 * An app process for tests to kill: `node embedded-app.ts <data folder>` prints `ready`, then writes rows and prints the
 * number of each committed row. SIGTERM stops it gracefully.
 */
const embedded = await startEmbedded({ dataDir: process.argv[2]!, log: silentLog })
const { pool, close } = connect(embedded.connection, { log: silentLog })
let ending = false
process.on('SIGTERM', () => {
  ending = true
})
// Two apps may get here concurrently, and `if not exists` alone does not make them wait for each other.
await pool.query('select pg_advisory_xact_lock(1); create table if not exists written (number integer primary key)')
process.stdout.write('ready\n')
for (let number = 1; !ending; number++) {
  await pool.query('insert into written values ($1) on conflict do nothing', [number])
  process.stdout.write(`${number}\n`)
}
await close()
await embedded.stop()
