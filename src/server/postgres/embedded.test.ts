import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test as it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../../test/harness/folders.ts'
import { sampled } from '../../../test/harness/scale.ts'
import { silentLog } from '../../../test/harness/silent-log.ts'
import { connect, type Database } from '../db/connect.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { findPostmaster } from './postmaster.ts'
import { isAlive, pidOf } from './process-identity.ts'

const appFile = join(import.meta.dirname, '../../../test/harness/embedded-app.ts')

describe('an unusable data folder', () => {
  it('of another major version is refused and not changed', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'postgres'))
    writeFileSync(join(folder, 'postgres/PG_VERSION'), '15\n')
    await expect(startEmbedded({ dataDir: folder, log: silentLog })).rejects.toThrow(
      /written by PostgreSQL 15, but this release includes PostgreSQL 18\. Nothing was changed/,
    )
    expect(readdirSync(join(folder, 'postgres'))).toEqual(['PG_VERSION'])
    expect(readdirSync(join(folder, 'apps'))).toEqual([])
  })

  it('with other content is refused and not changed', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'postgres'))
    writeFileSync(join(folder, 'postgres/holiday.jpg'), '')
    await expect(startEmbedded({ dataDir: folder, log: silentLog })).rejects.toThrow(/no PostgreSQL data/)
    expect(readdirSync(join(folder, 'postgres'))).toEqual(['holiday.jpg'])
  })
})

describe('a new data folder', () => {
  it('gets a cluster with checksums, without network access, and an app role that is not a superuser', async () => {
    const { pool } = await start(temporaryFolder())
    const { rows } =
      await pool.query(`select current_setting('data_checksums') as checksums, current_setting('listen_addresses') as network,
      current_setting('fsync') as fsync, rolsuper as super from pg_roles where rolname = current_user`)
    expect(rows).toEqual([{ checksums: 'on', network: '', fsync: 'on', super: false }])
    await pool.query('create extension pg_trgm')
  })

  it('gets a cluster even if an earlier attempt was killed', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'postgres.new/base'), { recursive: true })
    const { pool } = await start(folder)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(existsSync(join(folder, 'postgres.new'))).toBe(false)
  })

  it('may have a path too long for a socket, below a folder that only its owner can enter', async () => {
    const closed = join(temporaryFolder(), 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const { pool, embedded } = await start(join(closed, 'long'.repeat(30)))
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(embedded.connection.host).toMatch(/^\/tmp\/sauce-/)
  })

  it('is shared by two apps that start concurrently', async () => {
    const folder = temporaryFolder()
    const apps = [runApp(folder), runApp(folder)]
    await Promise.all(apps.map((app) => app.printed('ready')))
    const { pool } = await start(folder)
    const { rows } = await pool.query(
      `select count(distinct pid)::int as count from pg_stat_activity where application_name = 'sauce' and datname = current_database()`,
    )
    expect(rows[0].count).toBeGreaterThanOrEqual(3)
  })
})

describe('a running server', () => {
  let template: string
  beforeAll(async () => {
    template = mkdtempSync(join(tmpdir(), 'sauce-'))
    chmodSync(template, 0o755)
    const { stop } = await startEmbedded({ dataDir: template, log: silentLog })
    await stop()
  })
  afterAll(() => rmSync(template, { recursive: true, force: true }))

  /** Copies a cluster, which is faster than creating one. Owner and mode differ, as after a restore by root. */
  function folderWithCluster(): string {
    const folder = temporaryFolder()
    cpSync(join(template, 'postgres'), join(folder, 'postgres'), { recursive: true })
    return folder
  }

  it('is adopted by the second app, keeps running when the first one stops, and stops with the last', async () => {
    const folder = folderWithCluster()
    const first = await start(folder)
    const server = postmasterOf(folder)
    const second = await start(folder)
    expect(postmasterOf(folder)).toBe(server)
    await first.stop()
    expect((await second.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await second.stop()
    expect(isAlive(server)).toBe(false)
  })

  it('is restarted after kill -9, with everything committed', async () => {
    const folder = folderWithCluster()
    const { pool } = await start(folder)
    await pool.query('create table kept as select 42 as value')
    const server = postmasterOf(folder)
    process.kill(pidOf(server), 'SIGKILL')
    await restartAfter(server, folder)
    const rows = await vi.waitFor(async () => (await pool.query('select value from kept')).rows, {
      timeout: 10_000,
      interval: 50,
    })
    expect(rows).toEqual([{ value: 42 }])
  })

  it('is restarted once when it dies while two apps use it', async () => {
    const folder = folderWithCluster()
    const [one, two] = [await start(folder), await start(folder)]
    const killed = postmasterOf(folder)
    process.kill(pidOf(killed), 'SIGKILL')
    const server = await restartAfter(killed, folder)
    for (const { pool } of [one, two]) await vi.waitFor(() => pool.query('select 1'), { timeout: 10_000, interval: 50 })
    await one.stop()
    expect((await two.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(postmasterOf(folder)).toBe(server)
  })

  it('keeps running when its app is killed; the next app adopts it and finds every committed row', async () => {
    const folder = folderWithCluster()
    const app = runApp(folder)
    await app.printed('200')
    const server = postmasterOf(folder)
    const last = await app.kill()
    const { pool } = await start(folder)
    expect(postmasterOf(folder)).toBe(server)
    expect((await pool.query('select count(*)::int as count from written where number <= $1', [last])).rows).toEqual([
      { count: last },
    ])
  })

  it('killed together with its app loses no committed row', async () => {
    const folder = folderWithCluster()
    const app = runApp(folder)
    await app.printed('200')
    process.kill(pidOf(postmasterOf(folder)), 'SIGKILL')
    const last = await app.kill()
    const { pool, stop } = await start(folder)
    expect((await pool.query('select count(*)::int as count from written where number <= $1', [last])).rows).toEqual([
      { count: last },
    ])
    const server = postmasterOf(folder)
    await stop()
    expect(isAlive(server)).toBe(false)
  })

  it.each(sampled(['', '\n', 'nonsense\n', '-1\n', '99999999999999999999\n', '\0\0\0\0'], 3))(
    'starts even if its pid file contains %j',
    async (text) => {
      const folder = folderWithCluster()
      writeFileSync(join(folder, 'postgres/postmaster.pid'), text)
      const { pool } = await start(folder)
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    },
  )

  it('does not kill another process whose pid is in a stale pid file', async () => {
    const folder = folderWithCluster()
    const { stop } = await start(folder)
    await stop()
    writeFileSync(
      join(folder, 'postgres/postmaster.pid'),
      `${process.pid}\n/proc/self/cwd\n1\n5432\n${join(folder, 'run')}\n\n\nready\n`,
    )
    const { pool } = await start(folder)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})

type App = Database & { embedded: Embedded; stop: () => Promise<void> }

async function start(dataDir: string): Promise<App> {
  const embedded = await startEmbedded({ dataDir, log: silentLog })
  const database = connect(embedded.connection, { log: silentLog })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= database.close().then(embedded.stop)
    return stopped
  }
  onTestFinished(stop)
  return { ...database, embedded, stop }
}

/** Runs an app in a separate process. `printed` waits for a line of its output. `kill` kills it with SIGKILL and returns the last row that it reported. */
function runApp(folder: string): { printed: (line: string) => Promise<void>; kill: () => Promise<number> } {
  const child: ChildProcess = spawn(process.execPath, [appFile, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const received: string[] = []
  const lines = createInterface({ input: child.stdout! }).on('line', (line) => received.push(line))
  const closed = once(lines, 'close')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exited
  })
  return {
    printed: (line) => vi.waitUntil(() => received.includes(line), { timeout: 15_000 }).then(() => {}),
    kill: async () => {
      child.kill('SIGKILL')
      await Promise.all([exited, closed])
      return Number(received.at(-1))
    },
  }
}

const postmasterOf = (folder: string): string => findPostmaster(join(folder, 'postgres'))!.identity

/** Waits until another server has replaced `killed`, and returns its identity. Until then, backends of the killed server may still answer queries. */
const restartAfter = (killed: string, folder: string): Promise<string> =>
  vi.waitFor(
    () => {
      const server = postmasterOf(folder)
      expect(server).not.toBe(killed)
      return server
    },
    { timeout: 10_000, interval: 10 },
  )
