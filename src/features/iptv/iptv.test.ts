import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { currentUser } from '#features/accounts/contract.ts'
import { auditLog, lines, panels, users } from '#server/db/tables.ts'
import { open } from '#server/secrets/keys.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { type FakePanel, lineConnections, linePassword, startFakePanel } from '../../../test/harness/fake-panel.ts'
import { syncAccount, validateAccount } from './contract.ts'
import { outcomes } from './rules.ts'

const key = randomBytes(32)
const paths = [validateAccount.path, syncAccount.path]

let panel: FakePanel
let app: TestApp
beforeAll(async () => {
  panel = await startFakePanel()
  app = await buildApp({
    config: {
      secretKey: key.toString('base64'),
      panelAllowPrivate: true,
      panel: { url: panel.url, allowPrivate: true, userAgent: 'VLC/3.0.18 LibVLC/3.0.18', neverExpires: [] },
    },
  })
})
afterAll(async () => {
  await app.close()
  await panel.close()
})
afterEach(() => expect(app.logs.join('\n')).not.toContain(linePassword))

const credentials = (iptvUsername = 'line.1', iptvPassword = linePassword) => ({ iptvUsername, iptvPassword })
const sync = ({ client }: SignedIn, body = credentials()) => client.call(syncAccount, { body })
const rowOf = async ({ user }: SignedIn) => (await app.db.select().from(users).where(eq(users.id, user.id)))[0]!
const auditOf = ({ user }: SignedIn) =>
  app.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.action, 'iptv.sync'), eq(auditLog.targetId, String(user.id))))
/** Signs in a customer and syncs an account. `before`: the customer's row after the sync. */
async function syncedPerson(username = 'line.1'): Promise<SignedIn & { before: Awaited<ReturnType<typeof rowOf>> }> {
  const person = await app.signIn()
  await sync(person, credentials(username))
  return { ...person, before: await rowOf(person) }
}

test('an account is checked with the panel of the customer’s line', async () => {
  const other = await startFakePanel()
  try {
    const person = await app.signIn()
    const row = { name: 'Other panel', kind: 'xui-admin', address: other.url, server: other.url } as const
    const [stored] = await app.db.insert(panels).values(row).returning()
    await app.db.insert(lines).values({ userId: person.user.id, panelId: stored!.id })
    const before = panel.calls.length
    expect(await sync(person)).toMatchObject({ synced: true })
    expect([panel.calls.length - before, other.calls.length]).toEqual([0, 1])
    await other.stop()
    // A panel that does not answer does not affect the customers of other panels.
    await expect(sync(person)).rejects.toMatchObject({ status: 503 })
    expect(await sync(await app.signIn())).toMatchObject({ synced: true })
  } finally {
    await other.close()
  }
})

describe.each(paths)('%s', (path) => {
  test('refuses visitors and other sites without calling the panel', async () => {
    const { client } = await app.signIn()
    const before = panel.calls.length
    expect((await app.client().post(path, credentials())).status).toBe(401)
    expect((await client.post(path, credentials(), { origin: 'https://evil.example' })).status).toBe(403)
    expect(
      (
        await client.request(path, {
          method: 'POST',
          headers: { 'content-type': 'text/plain' },
          body: JSON.stringify(credentials()),
        })
      ).status,
    ).toBe(415)
    expect(panel.calls).toHaveLength(before)
  })

  test.each([
    [{}, ['IPTV username is required', 'IPTV password is required']],
    [{ iptvUsername: '', iptvPassword: '' }, ['IPTV username is required', 'IPTV password is required']],
    [{ iptvUsername: '   ', iptvPassword: 'x' }, ['IPTV username is required']],
    [{ iptvUsername: 'x', iptvPassword: '' }, ['IPTV password is required']],
    [{ iptvUsername: 7, iptvPassword: null }, ['IPTV username is required', 'IPTV password is required']],
    [
      { iptvUsername: 'x'.repeat(121), iptvPassword: 'x'.repeat(129) },
      ['Please use at most 120 characters', 'Please use at most 128 characters'],
    ],
    [
      { iptvUsername: 'a\r\nb', iptvPassword: 'a\nb' },
      ['Please remove the control characters', 'Please remove the control characters'],
    ],
  ])('refuses %j with the messages that the form shows', async (body, messages) => {
    const { client } = await app.signIn()
    const before = panel.calls.length
    const response = await client.post(path, body)
    const error = (await response.json()) as { message: string; issues: { path: string; message: string }[] }
    expect([response.status, error.message, error.issues.map((issue) => issue.message)]).toEqual([
      400,
      messages[0],
      messages,
    ])
    expect(panel.calls).toHaveLength(before)
  })

  test('makes one call without an action, with the trimmed username and the password as it was entered', async () => {
    const { client } = await app.signIn()
    const before = panel.calls.length
    await client.post(path, { iptvUsername: ' a&action=x#y/../%00 ', iptvPassword: ' p w&password=2 ' })
    const [call, ...more] = panel.calls.slice(before)
    expect(more).toEqual([])
    expect([...call!.address.searchParams]).toEqual([
      ['username', 'a&action=x#y/../%00'],
      ['password', ' p w&password=2 '],
    ])
    expect(call!.userAgent).toBe('VLC/3.0.18 LibVLC/3.0.18')
  })

  test('does not distinguish a wrong password from an unknown username', async () => {
    const { client } = await app.signIn()
    const responses = await Promise.all([
      client.post(path, credentials('line.1', 'wrong')),
      client.post(path, credentials('nobody')),
    ])
    const bodies = await Promise.all(responses.map((response) => response.text()))
    expect(bodies[0]).toBe(bodies[1])
    expect(responses.map((response) => response.status)).toEqual([200, 200])
    expect(bodies[0]).toContain(outcomes.bad_credentials.message)
  })

  test('treats a 404 as wrong credentials, and a synced account does not change', async () => {
    const person = await syncedPerson()
    const response = await person.client.post(path, credentials('missing'))
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        [path === validateAccount.path ? 'valid' : 'synced']: false,
        message: expect.stringMatching(/^Wrong username or password/),
      },
    ])
    expect(await rowOf(person)).toEqual(person.before)
  })

  test.each(['disabled', 'banned', 'expired'] as const)(
    'reports that a line is %s, which is not an error',
    async (mode) => {
      const { client } = await app.signIn()
      const response = await client.post(path, credentials(mode))
      expect([response.status, await response.json()]).toEqual([
        200,
        { [path === validateAccount.path ? 'valid' : 'synced']: false, message: outcomes[mode].message },
      ])
    },
  )

  test.each([
    ['waiting', 429, 'rate_limited'],
    ['forbidden', 503, 'blocked'],
    ['failing', 503, 'provider_error'],
    ['html', 503, 'not_xtream'],
    ['badjson', 503, 'bad_response'],
    ['proto', 503, 'bad_response'],
    ['redirect', 503, 'bad_response'],
    ['endless', 503, 'bad_response'],
    ['bomb', 503, 'bad_response'],
    ['reset', 503, 'unreachable'],
  ] as const)(
    'has no verdict for the panel response "%s": responds with %i and changes no synced account',
    async (mode, status, outcome) => {
      const person = await syncedPerson()
      const response = await person.client.post(path, credentials(mode))
      expect([response.status, await response.json()]).toEqual([
        status,
        { code: `panel_${outcome}`, message: outcomes[outcome].message },
      ])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await rowOf(person)).toEqual(person.before)
      expect(panel.canaryHits()).toBe(0)
    },
  )

  test('reports that there is no panel, and never that the credentials are right or wrong', async () => {
    const bare = await buildApp()
    try {
      const { client } = await bare.signIn()
      const response = await client.post(path, credentials())
      expect([response.status, await response.json()]).toEqual([
        503,
        { code: 'panel_not_configured', message: outcomes.not_configured.message },
      ])
    } finally {
      await bare.close()
    }
  })
})

describe('validating', () => {
  test('finds a line valid and stores nothing', async () => {
    const person = await app.signIn()
    const before = await rowOf(person)
    expect(await person.client.call(validateAccount, { body: credentials() })).toEqual({
      valid: true,
      message: 'Your IPTV credentials are valid.',
    })
    expect(await rowOf(person)).toEqual(before)
  })
})

describe('syncing', () => {
  test.each(['nobody', 'disabled', 'banned', 'expired'])(
    'with refused credentials (%s) changes nothing',
    async (username) => {
      const person = await syncedPerson()
      expect(await sync(person, credentials(username))).toMatchObject({ synced: false })
      expect(await rowOf(person)).toEqual(person.before)
      expect(await auditOf(person)).toHaveLength(1)
    },
  )

  test('stores the username, the encrypted password, the connections and the time, with an audit entry', async () => {
    const person = await app.signIn()
    expect(await sync(person)).toEqual({ synced: true, message: 'Your IPTV credentials have been saved and verified.' })
    const row = await rowOf(person)
    expect(row).toMatchObject({ iptvUsername: 'line.1', iptvSynced: true, iptvMaxConnections: lineConnections })
    expect(Math.abs(Date.now() - Date.parse(row.iptvSyncedAt!))).toBeLessThan(60_000)
    expect(open(key, row.iptvPassword!, `users:${person.user.id}:iptv_password`)).toBe(linePassword)
    const auditEntries = await auditOf(person)
    expect(auditEntries).toMatchObject([
      {
        actorId: person.user.id,
        before: { iptvUsername: null, iptvSynced: false, iptvMaxConnections: null },
        after: { iptvUsername: 'line.1', iptvSynced: true, iptvMaxConnections: lineConnections },
      },
    ])
    expect(JSON.stringify(auditEntries)).not.toMatch(/password/i)
  })

  test('shows the account as synced, and no response contains the password', async () => {
    const person = await syncedPerson()
    const { client: admin } = await app.signInAdmin()
    expect(await person.client.call(currentUser, {})).toMatchObject({
      iptvUsername: 'line.1',
      iptvSynced: true,
      iptvMaxConnections: lineConnections,
    })
    const responses = await Promise.all([
      person.client.request('/api/user').then((response) => response.text()),
      person.client.post(syncAccount.path, credentials('line.2')).then((response) => response.text()),
      person.client.post(validateAccount.path, credentials('line.2')).then((response) => response.text()),
      admin.request('/api/admin/users').then((response) => response.text()),
    ])
    for (const secret of [
      linePassword,
      JSON.stringify(linePassword).slice(1, -1),
      person.before.iptvPassword!,
      'iptvPassword',
    ])
      expect(responses.join('\n')).not.toContain(secret)
  })

  test('another account replaces the first', async () => {
    const person = await syncedPerson()
    await sync(person, credentials('unlimited.1'))
    const row = await rowOf(person)
    expect(row).toMatchObject({ iptvUsername: 'unlimited.1', iptvSynced: true, iptvMaxConnections: 0 })
    expect(row.iptvSyncedAt! >= person.before.iptvSyncedAt!).toBe(true)
    expect(row.iptvPassword).not.toBe(person.before.iptvPassword)
    expect(await auditOf(person)).toMatchObject([
      {},
      { before: { iptvUsername: 'line.1' }, after: { iptvUsername: 'unlimited.1' } },
    ])
  })

  test('keeps the known number of connections when the panel reports none', async () => {
    const person = await syncedPerson()
    await sync(person, credentials('unsaid.1'))
    expect(await rowOf(person)).toMatchObject({ iptvUsername: 'unsaid.1', iptvMaxConnections: lineConnections })
  })

  test('fifty times concurrently has one effect and one audit entry', async () => {
    const person = await app.signIn()
    // Not all requests reach the panel: the concurrency limiter refuses the others with "try again".
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => person.client.post(syncAccount.path, credentials())),
    )
    const statuses = responses.map((response) => response.status)
    expect(new Set([...statuses, 503])).toEqual(new Set([200, 503]))
    const bodies = await Promise.all(
      responses.filter((response) => response.status === 200).map((response) => response.json()),
    )
    expect(bodies.length).toBeGreaterThan(0)
    for (const body of bodies) expect(body).toMatchObject({ synced: true })
    expect(await auditOf(person)).toHaveLength(1)
  })

  test('two accounts concurrently stores one of them completely, and the other request fails', async () => {
    for (let round = 0; round < 10; round++) {
      const person = await app.signIn()
      const names = ['line.a', 'line.b']
      const responses = await Promise.all(names.map((name) => person.client.post(syncAccount.path, credentials(name))))
      const won = names.filter((_, i) => responses[i]!.status === 200)
      const auditEntries = await auditOf(person)
      expect(responses.map((response) => response.status).every((status) => status === 200 || status === 409)).toBe(
        true,
      )
      expect(auditEntries).toHaveLength(won.length)
      expect(auditEntries.map(({ after }) => after?.iptvUsername)).toContain((await rowOf(person)).iptvUsername)
    }
  })
})

test('a customer can make ten checks per hour, validations and syncs together', async () => {
  const limited = await buildApp({ config: { ...app.context.config, rateLimitFactor: 1 } })
  try {
    const { client } = await limited.signIn()
    for (let i = 0; i < 10; i++) expect((await client.post(paths[i % 2]!, credentials('nobody'))).status).toBe(200)
    const before = panel.calls.length
    const refused = await client.post(syncAccount.path, credentials())
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(panel.calls).toHaveLength(before)
  } finally {
    await limited.close()
  }
})

test('every check is logged with its outcome and the panel’s host, without the URL, the username or the password', async () => {
  const { client, user } = await app.signIn()
  const before = app.logs.length
  for (const name of ['line.1', 'nobody', 'failing']) await client.post(validateAccount.path, credentials(name))
  const logLines = app.logs.slice(before)
  const checks = logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ outcome }) => outcome !== undefined)
  const { host } = new URL(panel.url)
  expect(checks).toMatchObject([
    { level: 30, userId: user.id, panel: host, outcome: 'ok' },
    { level: 30, userId: user.id, panel: host, outcome: 'bad_credentials' },
    { level: 40, userId: user.id, panel: host, outcome: 'provider_error', why: 'HTTP 500' },
  ])
  expect(logLines.join('\n')).not.toMatch(/player_api|line\.1|nobody|failing|username=|password/)
})
