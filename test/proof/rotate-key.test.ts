import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Db } from '#server/db/connect.ts'
import { reseal } from '#server/db/reseal.ts'
import {
  auditLog,
  guideSources,
  importRows,
  importRuns,
  lineMoveRuns,
  lineMoves,
  lines,
  mails,
  panels,
  paymentMails,
  paymentProcessorSecrets,
  settingSecrets,
  trialRequests,
  twoFactor,
  users,
  webhookSecrets,
  webhooks,
} from '#server/db/tables.ts'
import { sealLink } from '#server/mail/enqueue-mail.ts'
import { findPostmaster } from '#server/postgres/postmaster.ts'
import { type KeyOrRing, open, seal, sealedPrefix, secretKey } from '#server/secrets/keys.ts'
import { rotateKey } from '#server/secrets/rotate-key.ts'
import { type SealedColumn, sealedColumns } from '#server/secrets/sealed-columns.ts'
import { testConfig } from '../harness/app.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { createUser } from '../harness/factories.ts'
import { loggedInUser } from '../harness/http-user.ts'
import { proxyTo } from '../harness/proxy.ts'
import { startCli } from '../harness/run-cli.ts'
import { dataFolder, runApp } from '../harness/running-app.ts'
import { isFullSize } from '../harness/scale.ts'
import { silentLog } from '../harness/silent-log.ts'
import { urlOf } from '../harness/test-server.ts'

type Id = string | number
type SealedName = keyof typeof sealedColumns
const sealedColumnOf = (name: SealedName) => sealedColumns[name] as unknown as SealedColumn<Id>

/** Creates a row for each encrypted column. A new encrypted column needs an entry here. */
const rowWith: Record<SealedName, (db: Db, key: KeyOrRing) => Promise<Id>> = {
  iptvPassword: async (db) => (await createUser(db)).id,
  twoFactorSecret: async (db) => {
    const { id } = await createUser(db)
    await db.insert(twoFactor).values({ userId: id, secret: 'v1:soon' })
    return id
  },
  trialPassword: async (db) => {
    const { id: userId } = await createUser(db)
    const [row] = await db
      .insert(trialRequests)
      .values({ userId, message: 'Please let me try', device: 'TV' })
      .returning()
    return row!.id
  },
  linePassword: async (db) => {
    const { id: userId } = await createUser(db)
    await db.insert(lines).values({ userId, username: `line${userId}`, password: 'v1:soon' })
    return userId
  },
  movedLinePassword: async (db, key) => {
    const panelId = Number(await rowWith.panelKey(db, key))
    const { id: userId } = await createUser(db)
    const [run] = await db.insert(lineMoveRuns).values({ fromPanel: 1, toPanel: panelId, state: 'done' }).returning()
    const row = { runId: run!.id, userId, otherUsername: 'other', otherPassword: 'v1:soon' }
    const [move] = await db.insert(lineMoves).values(row).returning({ id: lineMoves.id })
    return move!.id
  },
  mailLink: async (db) => {
    const dedupeKey = `mail ${randomBytes(6).toString('hex')}`
    await db.insert(mails).values({ dedupeKey, recipient: 'a@example.org', template: 'password_reset', data: {} })
    return dedupeKey
  },
  paymentMail: async (db) => {
    const sourceKey = `email ${randomBytes(6).toString('hex')}`
    const place = {
      mailbox: 'a',
      uidValidity: 1n,
      uid: 1,
      messageId: '',
      sender: 'a@example.org',
      subject: '',
      bytes: 1,
    }
    const found = { auth: 'proven', outcome: 'unreadable', receivedAt: new Date().toISOString() } as const
    await db.insert(paymentMails).values({ sourceKey, ...place, ...found })
    return sourceKey
  },
  processorSecret: async (db) => {
    const row = { id: randomUUID(), processor: 'stripe', sealed: 'v1:soon', ending: 'soon' } as const
    await db.insert(paymentProcessorSecrets).values({ ...row, createdBy: (await createUser(db)).id })
    return row.id
  },
  importedLinePassword: async (db) => {
    const { id: createdBy } = await createUser(db)
    const [run] = await db.insert(importRuns).values({ name: 'a.csv', mapping: {}, createdBy }).returning()
    const row = { rowKey: `${run!.id}:2`, runId: run!.id, line: 2, verdict: 'create' } as const
    await db.insert(importRows).values({ ...row, username: 'jane', email: 'jane@example.org' })
    return row.rowKey
  },
  guideAddress: async (db) => {
    const name = `guide ${randomBytes(6).toString('hex')}`
    const [row] = await db.insert(guideSources).values({ name, sealed: 'v1:soon' }).returning()
    return row!.id
  },
  webhookTarget: async (db) => {
    const row = { id: randomUUID(), type: 'signed', name: `webhook ${randomBytes(6).toString('hex')}` } as const
    await db.insert(webhooks).values({ ...row, sealed: 'v1:soon', kinds: ['report'] })
    return row.id
  },
  webhookSecret: async (db, key) => {
    const webhookId = String(await put(db, 'webhookTarget', key, 'target'))
    const [row] = await db.insert(webhookSecrets).values({ id: randomUUID(), webhookId, sealed: 'v1:soon' }).returning()
    return row!.id
  },
  panelKey: async (db) => {
    const name = `panel ${randomBytes(6).toString('hex')}`
    const row = { name, kind: 'xui-admin', address: `https://${randomBytes(6).toString('hex')}.example` } as const
    const [stored] = await db.insert(panels).values(row).returning({ id: panels.id })
    return stored!.id
  },
  settingSecret: async (db) => {
    const name = `setting ${randomBytes(6).toString('hex')}`
    await db.insert(settingSecrets).values({ name, sealed: 'v1:soon' })
    return name
  },
}
async function put(db: Db, name: SealedName, key: KeyOrRing, text: string): Promise<Id> {
  const { table, column, id, context } = sealedColumnOf(name)
  const row = await rowWith[name](db, key)
  await db.execute(
    sql`update ${table} set ${sql.identifier(column.name)} = ${seal(key, text, context(row) as never)} where ${id} = ${row}`,
  )
  return row
}
async function storedValue(db: Db, name: SealedName, row: Id): Promise<string> {
  const { table, column, id } = sealedColumnOf(name)
  const { rows } = await db.execute<{ sealed: string }>(
    sql`select ${column} as sealed from ${table} where ${id} = ${row}`,
  )
  return rows[0]!.sealed
}

describe('in one database', () => {
  let database: TestDatabase
  let db: Db
  const [old, current] = [randomBytes(32), randomBytes(32)]
  const messages: string[] = []
  const config = (secretKey: Buffer, ...others: Buffer[]) => ({
    ...testConfig,
    secretKey: secretKey.toString('base64'),
    otherKeys: others.map((key) => key.toString('base64')),
  })
  const rotate = (...keys: [Buffer, ...Buffer[]]) =>
    rotateKey({ db, config: config(...keys), say: (line) => messages.push(line) })
  beforeAll(async () => {
    database = await createTestDatabase()
    db = database.db
  })
  afterAll(() => database.close())

  test('fails without the old key; values that no key decrypts are kept and reported', async () => {
    await expect(rotate(current)).rejects.toThrow(/SECRET_KEY_OTHER/)
    const unreadable = await put(db, 'iptvPassword', randomBytes(32), 'lost')
    const before = await storedValue(db, 'iptvPassword', unreadable)
    await expect(rotate(current, old)).rejects.toThrow(/1 values cannot be decrypted with any key/)
    expect(await storedValue(db, 'iptvPassword', unreadable)).toBe(before)
    await rotateKey({ db, config: config(current, old), say: () => {}, leaveLost: true })
    await db.delete(users).where(eq(users.id, unreadable as number))
  })

  test('every column whose check constraint requires an encrypted value is in `sealedColumns`', async () => {
    const { rows } = await db.execute<{ column: string }>(sql`
      select format('%s.%s', c.conrelid::regclass, a.attname) as column from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'c' and pg_get_constraintdef(c.oid) like '%''^v[0-9]+:''%'`)
    const listed = Object.values(sealedColumns).map(
      ({ column }) =>
        `${(column.table as unknown as Record<symbol, string>)[Symbol.for('drizzle:Name')]}.${column.name}`,
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map((row) => row.column).filter((column) => !listed.includes(column))).toEqual([])
  })

  test.each(Object.keys(sealedColumns) as SealedName[])(
    '%s can be decrypted with only the new key afterwards, and a second rotation changes nothing',
    async (name) => {
      const rows = await Promise.all([
        put(db, name, old, 'hunter2'),
        put(db, name, old, ''),
        put(db, name, current, 'there already'),
      ])
      await rotate(current, old)
      const sealed = await Promise.all(rows.map((row) => storedValue(db, name, row)))
      expect(sealed.map((text, at) => open(current, text, sealedColumnOf(name).context(rows[at]!)))).toEqual([
        'hunter2',
        '',
        'there already',
      ])
      await rotate(current, old)
      expect(await Promise.all(rows.map((row) => storedValue(db, name, row)))).toEqual(sealed)
    },
  )

  test('rows of several batches, some written during the rotation, are all converted; the audit log has counts, no keys', async () => {
    const insertLinks = (from: number, count: number) =>
      db.insert(mails).values(
        Array.from({ length: count }, (_, at) => {
          const dedupeKey = `many:${from + at}`
          return {
            dedupeKey,
            recipient: 'a@example.org',
            template: 'password_reset',
            data: {},
            sealed: sealLink(old, dedupeKey, `/reset-password?token=${at}`),
          }
        }),
      )
    await insertLinks(0, 450)
    await Promise.all([reseal(db, { current, others: [old] }), insertLinks(450, 50)])
    await rotate(current, old)
    const left = await db.execute(
      sql`select 1 from mails where sealed is not null and sealed not like ${`${sealedPrefix(current)}%`}`,
    )
    expect(left.rows).toEqual([])
    const [last] = await db.select().from(auditLog).where(eq(auditLog.action, 'secret.rotate'))
    expect(last).toMatchObject({
      actorId: null,
      targetType: 'key',
      after: { iptvPassword: expect.any(Number), mailLink: expect.any(Number) },
    })
    for (const key of [old, current])
      expect(JSON.stringify(await db.select().from(auditLog)) + messages.join('\n')).not.toContain(
        key.toString('base64').slice(0, 10),
      )
  })

  test.runIf(isFullSize)(
    'a killed rotation continues at the next run',
    async () => {
      const rows = Array.from({ length: 6_000 }, (_, at) => {
        const dedupeKey = `killed:${at}`
        return {
          dedupeKey,
          recipient: 'a@example.org',
          template: 'password_reset',
          data: {},
          sealed: sealLink(old, dedupeKey, '/reset-password?token=x'),
        }
      })
      for (let at = 0; at < rows.length; at += 1_000) await db.insert(mails).values(rows.slice(at, at + 1_000))
      const proxy = await proxyTo(database.address)
      const settings = {
        DATABASE_URL: urlOf(proxy.address),
        SECRET_KEY: current.toString('base64'),
        SECRET_KEY_OTHER: old.toString('base64'),
      }
      const start = () => startCli(settings, 'rotate-key')
      const converted = async () =>
        Number(
          (
            await db.execute<{ n: string }>(
              sql`select count(*) as n from mails where dedupe_key like 'killed:%' and sealed like ${`${sealedPrefix(current)}%`}`,
            )
          ).rows[0]!.n,
        )
      const killed = start()
      await expect.poll(converted, { timeout: 30_000, interval: 5 }).toBeGreaterThan(0)
      killed.kill('SIGKILL')
      await once(killed, 'exit')
      expect(await converted()).toBeLessThan(6_000)
      expect((await once(start(), 'exit'))[0]).toBe(0)
      await proxy.close()
      expect(await converted()).toBe(6_000)
      const some = await db.select().from(mails).where(sql`dedupe_key in ('killed:0', 'killed:3000', 'killed:5999')`)
      for (const { dedupeKey, sealed } of some)
        expect(open(current, sealed!, `mail:${dedupeKey}`)).toContain('/reset-password')
    },
    60_000,
  )
})

test('during a rotation two processes can decrypt secrets at any time; afterwards only the new key is used', async () => {
  const data = dataFolder()
  const env = { ADMIN_PASSWORD: 'rotate-only-here', RATE_LIMIT_FACTOR: '100000', LOG_LEVEL: 'warn', SEED: 'empty' }
  const apps = [await runApp({ dataDir: data.path, env }), await runApp({ dataDir: data.path, env })]
  const { socketFolder: host, port } = findPostmaster(join(data.path, 'postgres'))!
  const { db, close } = connect({ host, port, user: 'sauce', database: 'sauce' }, { log: silentLog })
  try {
    const first = secretKey({ ...testConfig, dataDir: data.path })
    const customer = await loggedInUser(apps[0]!.url)
    const [user] = await db.select().from(users).where(eq(users.username, customer.name))
    const [trial] = await db
      .insert(trialRequests)
      .values({ userId: user!.id, message: 'Please let me try', device: 'TV' })
      .returning()
    const trialPassword = seal(first, 'open-sesame', `trial_requests:${trial!.id}:trial_password`)
    await db.update(trialRequests).set({
      status: 'approved',
      trialUsername: 't',
      trialPassword,
      trialServer: 's',
      expiryDate: sql`now() + interval '1 hour'`,
    })

    const rotation = startCli({ DATA_DIR: data.path }, 'rotate-key', '--patience', '2')
    let output = ''
    for (const stream of [rotation.stdout!, rotation.stderr!]) stream.on('data', (chunk) => (output += chunk))
    const ended = once(rotation, 'exit')
    let rounds = 0
    for (; rotation.exitCode === null; rounds++) {
      const at = apps[rounds % 2]!
      const answer = await customer.send(at.url, 'GET', '/api/trial-requests')
      expect(answer, output).toMatchObject({ status: 200, body: [{ trialPassword: 'open-sesame' }] })
      await customer.send(at.url, 'POST', '/api/forgot-password', { email: `${customer.name}@example.org` })
    }
    expect([(await ended)[0], output]).toEqual([0, expect.stringContaining('All secrets are encrypted with the key')])
    expect(rounds).toBeGreaterThan(3)

    const now = secretKey({ ...testConfig, dataDir: data.path })
    expect(now.others).toEqual([])
    expect(now.current).not.toEqual(first.current)
    const [retired] = readdirSync(data.path).filter((name) => name.startsWith('retired-'))
    expect(Buffer.from(readFileSync(join(data.path, retired!), 'utf8'), 'base64')).toEqual(first.current)
    expect(statSync(join(data.path, retired!)).mode & 0o777).toBe(0o600)
    const insertLinks = (await db.select().from(mails)).filter(({ sealed }) => sealed !== null)
    expect(insertLinks.length).toBeGreaterThan(1)
    for (const { sealed, dedupeKey } of insertLinks)
      expect(open(now, sealed!, `mail:${dedupeKey}`)).toContain('/reset-password')
    // All sessions stay valid: session tokens are not encrypted.
    for (const { url } of apps)
      expect(await customer.send(url, 'GET', '/api/trial-requests')).toMatchObject({
        body: [{ trialPassword: 'open-sesame' }],
      })
  } finally {
    await close()
    for (const app of apps) await app.stop()
    data.remove()
  }
}, 120_000)
