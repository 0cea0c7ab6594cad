import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { withLock } from '#server/postgres/lock.ts'
import { silentLog } from './silent-log.ts'
import { createTestFolder } from './test-folder.ts'

const root = join(import.meta.dirname, '../..')
const migrations = join(root, 'migrations')
const cache = join(root, '.cache/test-clusters')

/**
 * Copies a PostgreSQL cluster with an empty, migrated database and an empty job queue into a data folder, unless it already has a cluster. This takes a tenth
 * of the time that `initdb` and the migrations take at a first start.
 */
export async function copyCluster(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'postgres'))) return
  const template = join(cache, hashOfSources())
  if (!existsSync(template)) {
    mkdirSync(join(root, '.cache'), { recursive: true })
    await withLock(join(root, '.cache/test-clusters.lock'), 120_000, async () => {
      if (!existsSync(template)) await buildTemplate(template)
    })
  }
  mkdirSync(dataDir, { recursive: true })
  const copy = join(dataDir, `copy-${randomBytes(4).toString('hex')}`)
  execFileSync('cp', ['-a', template, copy])
  try {
    renameSync(copy, join(dataDir, 'postgres'))
  } catch {
    // Another process that starts on the same folder has created the cluster first.
    rmSync(copy, { recursive: true, force: true })
  }
}

async function buildTemplate(template: string): Promise<void> {
  const folder = createTestFolder()
  try {
    const embedded = await startEmbedded({ dataDir: folder, log: silentLog, durable: false })
    try {
      const { pool, close } = connect(embedded.connection, { log: silentLog, max: 1 })
      try {
        await migrate(pool, migrations)
        // Creates the tables of the job queue, which takes longer than the other work of a start on a migrated database.
        const jobs = startJobs({ pool, log: silentLog, jobs: [] })
        await jobs.ready
        await jobs.stop()
      } finally {
        await close()
      }
    } finally {
      await embedded.stop()
    }
    rmSync(cache, { recursive: true, force: true })
    mkdirSync(cache, { recursive: true })
    execFileSync('cp', ['-a', join(folder, 'postgres'), `${template}.new`])
    renameSync(`${template}.new`, template)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns a hash of the migrations, the version of PostgreSQL and the code that creates a cluster. */
function hashOfSources(): string {
  const hash = createHash('sha256')
  const files = [
    ...globSync('migrations/**/*.sql', { cwd: root }),
    'src/server/jobs/jobs.ts',
    'src/server/postgres/cluster.ts',
    'package-lock.json',
  ]
  for (const file of files.sort()) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}
