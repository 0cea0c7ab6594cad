import { createHash, randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createInvoice as createInvoiceEndpoint } from '#features/billing/contract.ts'
import { uploadImage } from '#features/images/admin-contract.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import type { Db } from '#server/db/connect.ts'
import { clientConfig, connect } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { activations, auditLog, invoices, trialRequests, users } from '#server/db/tables.ts'
import { listen } from '#server/live/notify.ts'
import { open, seal } from '#server/secrets/keys.ts'
import { buildApp, type TestApp } from '../harness/app.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { createInvoice, createPlan, createUser } from '../harness/factories.ts'
import { temporaryFolder } from '../harness/folders.ts'
import { loggedInUser } from '../harness/http-user.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { pngFile } from '../harness/pictures.ts'
import { proxyTo, splitAfterCopies } from '../harness/proxy.ts'
import { runCli } from '../harness/run-cli.ts'
import { dataFolder, runApp } from '../harness/running-app.ts'
import { isFullSize } from '../harness/scale.ts'
import { silentLog } from '../harness/silent-log.ts'

const migrations = join(import.meta.dirname, '../../migrations')
const key = randomBytes(32)
const keys = { secretKey: key.toString('base64'), otherKeys: [], dataDir: '/nowhere' }

/** Returns every row of every table as JSON, with computed columns, except what a restore writes: its audit row and the table `installation`. */
async function allRows(db: Db): Promise<Record<string, string[]>> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' and relname not in ('installation', 'guide_programs') order by 1`,
  )
  const found: Record<string, string[]> = {}
  for (const { name } of rows) {
    const result = await db.execute<{ row: string }>(
      sql`select to_jsonb(t)::text as row from ${sql.identifier(name)} t where to_jsonb(t)::text not like '%backup.restore%'`,
    )
    found[name] = result.rows.map(({ row }) => row).sort()
  }
  return found
}
async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ empty: true })
  onTestFinished(() => database.close())
  return database
}
const isEmpty = async ({ db }: TestDatabase) =>
  (await db.execute(sql`select 1 from pg_class where relnamespace = 'public'::regnamespace`)).rows.length === 0

describe('a backup', () => {
  let source: TestApp
  let made: Awaited<ReturnType<typeof backup>>
  let file: string
  beforeAll(async () => {
    source = await buildApp({ config: keys })
    const { db } = source
    const friend = await createUser(db, { username: 'frieda', credit: 2_500 })
    const buyer = await source.signIn({
      username: 'ben',
      referredBy: friend.id,
      fullName: 'Bén\t"quoted"\\ \n \\. end',
    })
    const plan = await createPlan(db, { features: ['a, "b"', 'c\\d', 'ünï'] })
    const boss = await source.signInAdmin()
    const invoice = await buyer.client.call(createInvoiceEndpoint, {
      body: { planId: plan.id, email: 'ben@example.org' },
    })
    await buyer.client.post('/api/submit-payment', {
      planId: plan.id,
      invoiceNumber: invoice.invoiceNumber,
      paymentMethod: 'cashapp',
      confirmationCode: 'ABC-12345',
      email: 'ben@example.org',
    })
    const [{ id } = { id: 0 }] = await db
      .select({ id: invoices.id })
      .from(invoices)
      .where(eq(invoices.invoiceNumber, invoice.invoiceNumber))
    await boss.client.request(`/api/admin/invoices/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'paid' }),
    })
    expect(await db.$count(activations)).toBe(1)
    await boss.client.call(uploadImage, { query: { use: 'channel' }, body: new Uint8Array(await pngFile()) })
    for (let at = 0; at < 300; at++)
      await createInvoice(db, { userId: friend.id, status: 'cancelled', planId: plan.id })
    const [trial] = await db
      .insert(trialRequests)
      .values({ userId: buyer.user.id, message: 'Please let me try', device: 'TV' })
      .returning()
    await db
      .update(trialRequests)
      .set({ trialPassword: seal(key, 'open-sesame', `trial_requests:${trial!.id}:trial_password`) })
    // A gap at the end of a sequence: a restore must not reuse the id.
    const gone = await createUser(db)
    await db.delete(users).where(eq(users.id, gone.id))
    made = await backup('first.gz')
    file = made.path
  })
  const folder = dataFolder()
  afterAll(async () => {
    await source.close()
    folder.remove()
  })
  const backup = async (name: string) => {
    const path = join(folder.path, name)
    return { path, ...(await writeBackup({ pool: source.database.pool, key, file: path })) }
  }

  test('can be read by its owner only, overwrites no file, contains no key, and names the key that decrypts its secrets', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await expect(backup('first.gz')).rejects.toThrow(/already exists/)
    const { gunzipSync } = await import('node:zlib')
    const text = gunzipSync(readFileSync(file)).toString()
    expect(text).not.toContain(key.toString('base64').slice(0, 12))
    expect(text).not.toContain('open-sesame')
    expect(made.keys).toHaveLength(1)
    expect(text).toContain(`v2:${made.keys[0]}:`)
    expect(readdirSync(folder.path)).toEqual(['first.gz'])
  })

  test('restores every table and sequence, and all invariants hold', async () => {
    const target = await emptyDatabase()
    const { migrated } = await restoreBackup({ pool: target.pool, config: keys, file, migrations })
    expect(migrated).toEqual([])
    const [was, is] = [await allRows(source.db), await allRows(target.db)]
    expect(Object.keys(is).length).toBeGreaterThan(20)
    expect(is).toEqual(was)
    await expectInvariants(target.db)
    const [before, after] = [await createUser(source.db), await createUser(target.db)]
    expect(after.id).toBe(before.id)
    const [trial] = await target.db.select().from(trialRequests)
    expect(open(key, trial!.trialPassword!, `trial_requests:${trial!.id}:trial_password`)).toBe('open-sesame')
    await expect(target.db.delete(auditLog)).rejects.toThrow()
    await expect(target.db.update(users).set({ referredBy: 999_999 })).rejects.toThrow()
    const auditEntries = await target.db.select().from(auditLog).where(eq(auditLog.action, 'backup.restore'))
    expect(auditEntries).toHaveLength(1)
    expect(await migrate(target.pool, migrations)).toEqual([])
  })

  test('is refused with a different key or none; `withoutKey` restores everything except the secrets', async () => {
    const target = await emptyDatabase()
    const other = { ...keys, secretKey: randomBytes(32).toString('base64') }
    await expect(restoreBackup({ pool: target.pool, config: other, file, migrations })).rejects.toThrow(
      /are encrypted with the key [0-9a-f]{12}; the current key is/,
    )
    const none = { ...keys, secretKey: undefined, dataDir: temporaryFolder() }
    await expect(restoreBackup({ pool: target.pool, config: none, file, migrations })).rejects.toThrow(/No key found/)
    expect(existsSync(join(none.dataDir, 'secret.key'))).toBe(false)
    expect(await isEmpty(target)).toBe(true)
    const lost = { pool: target.pool, config: other, file, migrations, withoutKey: true }
    await expect(restoreBackup(lost)).rejects.toThrow(/is signed with the key [0-9a-f]{12}, which is not available/)
    expect(await restoreBackup({ ...lost, unverified: true })).toMatchObject({ authentic: false })
    await expectInvariants(target.db)
    const withOtherKey = { ...other, otherKeys: [keys.secretKey] }
    await restoreBackup({ pool: target.pool, config: withOtherKey, file, migrations, replace: true })
  })

  test('that is truncated or has one changed byte is refused, and the database stays empty', async () => {
    const target = await emptyDatabase()
    const whole = readFileSync(file)
    const damaged = join(folder.path, 'damaged.gz')
    const tried = async (bytes: Buffer) => {
      writeFileSync(damaged, bytes)
      return restoreBackup({ pool: target.pool, config: keys, file: damaged, migrations }).then(
        () => 'restored',
        (error: Error) => error.name,
      )
    }
    for (const part of [0, 1, 30, 0.2, 0.5, 0.9])
      expect(await tried(whole.subarray(0, part > 0 && part < 1 ? whole.length * part : part)), `${part}`).toBe(
        'InvalidBackup',
      )
    for (const less of [1, 8, 9, 40])
      expect(await tried(whole.subarray(0, whole.length - less)), `without the last ${less}`).toBe('InvalidBackup')
    for (let at = 12; at < whole.length; at += Math.ceil(whole.length / 40)) {
      const changed = Buffer.from(whole)
      changed[at]! ^= 0x10
      // A damaged key id is reported as a different key.
      expect(await tried(changed), `byte ${at}`).toMatch(/^(InvalidBackup|Error)$/)
    }
    const { gunzipSync, gzipSync } = await import('node:zlib')
    const text = gunzipSync(whole).toString()
    expect(await tried(gzipSync(text.replace('frieda', 'Frieda')))).toBe('InvalidBackup')
    expect(await tried(gzipSync(text.slice(0, text.lastIndexOf('-- sha256'))))).toBe('InvalidBackup')
    expect(await tried(gzipSync('-- some other file\n'))).toBe('InvalidBackup')
    expect(await isEmpty(target)).toBe(true)
  })

  test('that was changed and given valid digests without the key is refused, with `unverified` too', async () => {
    const target = await emptyDatabase()
    const forged = join(folder.path, 'forged.gz')
    const { gunzipSync, gzipSync } = await import('node:zlib')
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    /** Writes a backup as an attacker would who knows the format but not the key. */
    const forge = (change: (text: string) => string, unsigned = false) => {
      const [, body = '', seal = ''] = /^(.*\n)-- sha256 (.*)\n$/s.exec(gunzipSync(readFileSync(file)).toString())!
      const original = unsigned ? body.replace('"format":2', '"format":1') : body
      const rows = (text: string, table: string) =>
        new RegExp(`^COPY "${table}" .*\\n((?:.*\\n)*?)\\\\\\.\\n`, 'm').exec(text)?.[1] ?? ''
      const text = change(original)
      const withDigest = text.replace(sha256(rows(original, 'users')), sha256(rows(text, 'users')))
      writeFileSync(
        forged,
        gzipSync(
          `${withDigest}-- sha256 ${[sha256(withDigest), ...(unsigned ? [] : seal.split(' ').slice(1))].join(' ')}\n`,
        ),
      )
    }
    const tried = (unverified = false) =>
      restoreBackup({ pool: target.pool, config: keys, file: forged, migrations, unverified })
    forge((text) => text.replace('frieda', 'Frieda'))
    for (const unverified of [false, true]) await expect(tried(unverified)).rejects.toThrow(/its signature is invalid/)
    expect(await isEmpty(target)).toBe(true)

    for (const statement of [
      `COPY "users" FROM PROGRAM 'touch ${folder.path}/pwned' --`,
      'COPY "users" (id) FROM stdin; --',
      'COPY "audit_log"',
    ]) {
      forge((text) => text.replace('COPY "users"', statement), true)
      await expect(tried()).rejects.toThrow()
      await expect(tried(true)).rejects.toThrow()
      expect(await isEmpty(target)).toBe(true)
    }
    forge((text) => text.replace(/^COPY "users" \("id", "username"/m, 'COPY "users" ("username", "id"'), true)
    await expect(tried(true)).rejects.toThrow(/columns of users in the file differ/)
    expect(existsSync(join(folder.path, 'pwned'))).toBe(false)

    forge((text) => text, true)
    await expect(tried()).rejects.toThrow(/by an earlier release and has no signature/)
    expect(await isEmpty(target)).toBe(true)
    expect(await tried(true)).toMatchObject({ authentic: false, signedBy: null })
    await expectInvariants(target.db)
  })

  test('is not restored into a database that is not empty or in use; a failed restore changes nothing', async () => {
    const target = await createTestDatabase()
    onTestFinished(() => target.close())
    await createUser(target.db, { username: 'stays' })
    const was = await allRows(target.db)
    await expect(restoreBackup({ pool: target.pool, config: keys, file, migrations })).rejects.toThrow(/not empty/)

    const app = await listen({
      connection: clientConfig(target.address),
      onChange: () => {},
      onSessionsChanged: () => {},
      onCatalog: () => {},
      onReconnect: () => {},
    })
    await expect(restoreBackup({ pool: target.pool, config: keys, file, migrations, replace: true })).rejects.toThrow(
      /1 app is running/,
    )
    await app.close()

    const broken = await createTestDatabase()
    onTestFinished(() => broken.close())
    await createUser(broken.db)
    await broken.pool.query('alter table trial_requests drop constraint trial_requests_user_id_fkey')
    await broken.pool.query(
      `insert into trial_requests (user_id, message, device) values (12345, 'Please let me try', 'TV')`,
    )
    const impossible = join(folder.path, 'impossible.gz')
    await writeBackup({ pool: broken.pool, key, file: impossible })
    await expect(
      restoreBackup({ pool: target.pool, config: keys, file: impossible, migrations, replace: true }),
    ).rejects.toThrow(/foreign key/)
    expect(await allRows(target.db)).toEqual(was)

    await restoreBackup({ pool: target.pool, config: keys, file, migrations, replace: true })
    expect((await allRows(target.db)).users).not.toEqual(was.users)
    await expectInvariants(target.db)
  })

  test('of an older release is migrated; a backup of a newer release is refused', async () => {
    const older = temporaryFolder()
    const history = join(migrations, 'history')
    const names = readdirSync(history).sort()
    mkdirSync(join(older, 'm'))
    for (const name of names.slice(0, 14)) symlinkSync(join(history, name), join(older, 'm', name))
    const old = await emptyDatabase()
    await migrate(old.pool, join(older, 'm'))
    await old.pool.query(
      `insert into users (username, email, password_hash, referral_code) values ('older', 'o@example.org', 'x', 'OLDER00001')`,
    )
    const path = join(folder.path, 'older.gz')
    await writeBackup({ pool: old.pool, key, file: path })
    const target = await emptyDatabase()
    const { migrated } = await restoreBackup({ pool: target.pool, config: keys, file: path, migrations })
    const newer = readdirSync(migrations)
      .filter((name) => /^\d{4}-.*\.sql$/.test(name))
      .sort()
    expect(migrated).toEqual([...names.slice(14), ...newer])
    expect(await target.db.select({ username: users.username }).from(users)).toEqual([{ username: 'older' }])
    await expect(
      restoreBackup({ pool: old.pool, config: keys, file, migrations: join(older, 'm'), replace: true }),
    ).rejects.toThrow(/is not part of this release/)
    expect(await old.pool.query('select username from users').then(({ rows }) => rows)).toEqual([{ username: 'older' }])
  })

  test('is complete and can be restored when the network splits the server’s data', async () => {
    const target = await emptyDatabase()
    const through = async ({ address }: TestDatabase) => {
      const proxied = connect((await proxyTo(address, splitAfterCopies)).address, { log: silentLog, max: 2 })
      onTestFinished(proxied.close)
      return proxied.pool
    }
    const split = join(folder.path, 'split.gz')
    await writeBackup({ pool: await through(source.database), key, file: split })
    await restoreBackup({ pool: await through(target), config: keys, file: split, migrations })
    expect(await target.db.$count(users)).toBe(await source.db.$count(users))
  })

  test.runIf(isFullSize)('taken during writes is consistent: all invariants hold', async () => {
    let isOver = false
    const busy = Array.from({ length: 4 }, async () => {
      while (!isOver) await createUser(source.db, { credit: 100 })
    })
    const paths: string[] = []
    try {
      const before = await source.db.$count(users)
      await expect.poll(() => source.db.$count(users)).toBeGreaterThan(before)
      for (const name of ['busy-1.gz', 'busy-2.gz', 'busy-3.gz']) paths.push((await backup(name)).path)
    } finally {
      isOver = true
      await Promise.all(busy)
    }
    for (const path of paths) {
      const target = await emptyDatabase()
      await restoreBackup({ pool: target.pool, config: keys, file: path, migrations })
      await expectInvariants(target.db)
    }
  })
})

test.runIf(isFullSize)(
  'CLI: a backup of a running app, restored in another data folder with its key, keeps accounts and sessions',
  async () => {
    const [here, there] = [dataFolder(), dataFolder()]
    const env = { ADMIN_PASSWORD: 'backup-only-here', RATE_LIMIT_FACTOR: '1000', LOG_LEVEL: 'warn' }
    const cli = async (dataDir: string, ...args: string[]) => {
      const { status, stdout, stderr } = await runCli(dataDir, ...args)
      return { status, output: stdout + stderr }
    }
    const file = join(there.path, 'moved.gz')
    let app = await runApp({ dataDir: here.path, env })
    try {
      const user = await loggedInUser(app.url)
      expect(await cli(here.path, 'backup', '--to', file)).toEqual({
        status: 0,
        output: expect.stringContaining('verified'),
      })
      expect(await cli(here.path, 'backup')).toEqual({
        status: 0,
        output: expect.stringContaining(join(here.path, 'backups')),
      })
      expect(await cli(here.path, 'restore', file, '--replace')).toEqual({
        status: 1,
        output: expect.stringContaining('app is running'),
      })
      expect((await user.send(app.url, 'GET', '/api/user')).status).toBe(200)
      await app.stop()

      copyFileSync(join(here.path, 'secret.key'), join(there.path, 'secret.key'))
      expect((await cli(there.path, 'restore', join(there.path, 'nothing.gz'))).status).toBe(1)
      const restored = await cli(there.path, 'restore', file)
      expect([restored.status, restored.output]).toEqual([
        0,
        expect.stringMatching(/Restored as of .* rows of \d+ tables\.\n✓/),
      ])
      expect(restored.output).not.toContain('✗')
      app = await runApp({ dataDir: there.path, env })
      expect((await user.send(app.url, 'GET', '/api/user')).body).toMatchObject({ username: user.name })
      await loggedInUser(app.url, { username: 'admin', password: 'backup-only-here' })
    } finally {
      await app.stop()
      here.remove()
      there.remove()
    }
  },
  240_000,
)
