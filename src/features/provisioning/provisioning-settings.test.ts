import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Input } from '#kit/endpoint.ts'
import { auditLog, settingSecrets } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { localCertificate } from '../../../test/harness/certificate.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { panelKey } from '../../../test/harness/fake-lines.ts'
import { type FakePanel, startFakePanel } from '../../../test/harness/fake-panel.ts'
import { getProvisioning, testPanel, updateProvisioning } from './admin-contract.ts'
import { configuredPanel } from './server/panels/configured.ts'

let fake: FakePanel
let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  fake = await startFakePanel()
  app = await buildApp({ config: { panelAllowPrivate: true } })
  admin = await app.signInAdmin()
})
afterAll(async () => {
  await app.close()
  await fake.close()
})

type Value = Input<typeof updateProvisioning>['body']['value']
const read = () => admin.client.call(getProvisioning, {})
const save = async (other: Partial<Value>, version?: string) => {
  const now = await read()
  return admin.client.call(updateProvisioning, {
    body: { version: version ?? now.version, value: { ...now.value, ...other } },
  })
}
const xui = (): Partial<Value> => ({ kind: 'xui-admin', address: fake.lines.address, key: panelKey })
const ask = (other: Partial<Value> = {}) => {
  const { kind = 'manual', address = '', key = '' } = { ...xui(), ...other }
  return admin.client.call(testPanel, { body: { kind, address, username: '', ca: '', ...other, key } })
}

describe('the provisioning settings refuse', () => {
  test.each<[string, Partial<Value>, string]>([
    ['a panel without an address', { kind: 'xui-admin', address: '', key: 'k' }, 'address'],
    [
      'an address with a password in it',
      { kind: 'xui-admin', address: 'https://a:b@panel.example', key: 'k' },
      'address',
    ],
    ['an address that is not a web address', { kind: 'xui-admin', address: 'file:///etc/passwd', key: 'k' }, 'address'],
    ['a panel without a key', { kind: 'xui-admin', address: 'https://panel.example/code', key: '' }, 'key'],
    [
      'a missing username for a panel that requires one',
      { kind: 'onestream', address: 'https://panel.example', key: 'k' },
      'username',
    ],
    [
      'an invalid certificate',
      {
        kind: 'xui-admin',
        address: 'https://panel.example',
        key: 'k',
        ca: '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----',
      },
      'ca',
    ],
    ['a private key instead of a certificate', { ca: '-----BEGIN CERTIFICATE----- -----BEGIN PRIVATE KEY-----' }, 'ca'],
    ['too many grace days', { graceDays: 91 }, 'graceDays'],
    [
      'bouquets that are not numbers',
      { kind: 'xc-api', address: 'https://panel.example', trialPackage: 'all of them' },
      'trialPackage',
    ],
  ])('%s, and names the field', async (_, value, field) => {
    const before = await read()
    await expect(save(value)).rejects.toMatchObject({
      status: 400,
      issues: [
        { path: expect.stringMatching(new RegExp(`${field}$`)), message: expect.stringMatching(/^(Please|This)/) },
      ],
    })
    expect(await read()).toEqual(before)
  })

  test('to overwrite a newer version', async () => {
    const { version } = await read()
    const both = await Promise.allSettled([save({ graceDays: 4 }, version), save({ graceDays: 5 }, version)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(save({ graceDays: 6 }, version)).rejects.toMatchObject({ status: 409, code: 'stale' })
    await save({ graceDays: 3 })
  })
})

describe('the panel’s key', () => {
  test('is encrypted at rest and in no response, audit entry or log', async () => {
    const plan = await createPlan(app.db)
    const saved = await save({ ...xui(), packages: { [plan.id]: '7', 999: '' }, trialPackage: '20', graceDays: 5 })
    expect(saved).toMatchObject({
      keySet: true,
      value: { kind: 'xui-admin', key: '', packages: { [plan.id]: '7' }, trialPackage: '20', graceDays: 5 },
    })
    const { rows } = await app.database.pool.query<{ all: string }>(
      'SELECT (SELECT json_agg(s) FROM settings s)::text || (SELECT json_agg(s) FROM setting_secrets s)::text || (SELECT json_agg(a) FROM audit_log a)::text AS all',
    )
    for (const text of [rows[0]!.all, JSON.stringify(saved), JSON.stringify(await read()), app.logs.join()])
      expect(text).not.toContain(panelKey)
    const notes = await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.targetId, 'provisioning'))
      .orderBy(desc(auditLog.id))
    expect(notes.map(({ action, after }) => [action, after])).toEqual(
      expect.arrayContaining([
        ['settings.key', { keySet: true, change: 'set' }],
        ['settings.update', expect.objectContaining({ kind: 'xui-admin' })],
      ]),
    )
    const panel = await configuredPanel(app.context)
    expect(await panel!.testConnection()).toMatchObject({ ok: true, panel: 'owner' })
  })

  test('is kept when it is left empty, and never sent to another panel', async () => {
    await save(xui())
    const sealed = async () => (await app.db.select().from(settingSecrets))[0]?.sealed
    const before = await sealed()
    expect(await save({ graceDays: 6 })).toMatchObject({ keySet: true })
    expect(await sealed()).toBe(before)
    await expect(save({ address: 'http://127.0.0.1:1/elsewhere' })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: 'value.key' }],
    })
    await expect(save({ kind: 'xui-reseller' })).rejects.toMatchObject({ issues: [{ path: 'value.key' }] })
    const calls = fake.lines.calls.length
    expect(await ask({ address: `${fake.lines.address}/other`, key: '' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('enter the panel’s key'),
    })
    expect(fake.lines.calls).toHaveLength(calls)
  })

  test('is removed when provisioning becomes manual again', async () => {
    await save(xui())
    expect(await save({ kind: 'manual' })).toMatchObject({ keySet: false })
    expect(await app.db.select().from(settingSecrets)).toEqual([])
    expect(await configuredPanel(app.context)).toBeNull()
  })
})

describe('testing the connection', () => {
  test('shows the account and the packages, with the typed and with the stored key', async () => {
    const response = {
      ok: true,
      message: 'Connected as owner. Credits: 0.',
      packagesMessage: '',
    }
    const typed = await ask()
    expect(typed).toMatchObject(response)
    expect(typed.packages).toHaveLength(4)
    await save(xui())
    expect(await ask({ key: '' })).toMatchObject(response)
  })

  test('shows the error, and never the key', async () => {
    const wrong = await ask({ key: 'canary-key' })
    expect(wrong).toMatchObject({
      ok: false,
      message: expect.stringContaining('does not accept the key'),
      packages: [],
    })
    expect(await ask({ kind: 'manual' })).toMatchObject({ ok: false })
    expect(await ask({ address: 'http://127.0.0.1:1' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('no server is listening'),
    })
    expect(await ask({ ca: localCertificate().cert })).toMatchObject({ ok: true })
    expect(JSON.stringify(wrong) + app.logs.join()).not.toContain('canary-key')
    const [note] = await app.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.action, 'panel.test'))
      .orderBy(desc(auditLog.id))
      .limit(1)
    expect(note).toMatchObject({
      actorId: admin.user.id,
      targetType: 'panel',
      after: { kind: 'xui-admin', outcome: 'ok' },
    })
  })
})
