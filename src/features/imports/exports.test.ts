import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mails, users } from '#server/db/tables.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { buildApp, cheapHashing, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createPlan } from '../../../test/harness/factories.ts'
import { importing, importRow, inDays } from '../../../test/harness/import-files.ts'
import { openLink } from '../mails/server/service/open-link.ts'
import { emailImport } from './admin-contract.ts'
import { emailNextCustomers } from './server/service/email-customers.ts'

let app: TestApp
let admin: SignedIn
let files: ReturnType<typeof importing>
beforeAll(async () => {
  app = await buildApp({ passwords: cheapHashing })
  admin = await app.signInAdmin({ username: 'owner' })
  files = importing(app, admin)
  await createPlan(app.db, { name: 'Moved Beast', price: 3_000, months: 1, connections: 7 })
})
afterAll(() => app.close())

describe('columns', () => {
  const text =
    'Client ID,First Name,Last Name,Email Address,Credit,Next Due Date\n7,Ana,Ruiz,ana@moved.example,"1.250,50",24.12.2030\n'

  test('are suggested by the headings, and remembered for the same headings', async () => {
    const answer = await files.upload(text, null)
    expect(answer).toMatchObject({
      state: 'columns',
      columns: ['Client ID', 'First Name', 'Last Name', 'Email Address', 'Credit', 'Next Due Date'],
      suggested: {
        ...{
          fullName: 'First Name',
          lastName: 'Last Name',
          email: 'Email Address',
          credit: 'Credit',
          paidUntil: 'Next Due Date',
        },
        ...{ dateFormat: 'dd/MM/yyyy', decimal: ',' },
      },
    })
    const chosen = {
      email: 'Email Address',
      fullName: 'First Name',
      lastName: 'Last Name',
      credit: 'Credit',
      dateFormat: 'dd/MM/yyyy',
      decimal: ',',
    }
    expect((await files.upload(text, chosen)).state).toBe('checked')
    const again = await files.upload(text, null)
    const { id } = again.state === 'checked' ? again.run : expect.unreachable()
    // Without a username column, the username is derived from the email address.
    expect(await files.rowsOf(id)).toMatchObject([
      { username: expect.stringMatching(/^ana-[0-9a-f]{4}$/), credit: 125_050 },
    ])
  })
})

describe('exports of other systems', () => {
  const days = Math.floor(Date.now() / 1_000) + 20 * 86_400

  test('of WHMCS: clients by their headings, and products with their billing cycle', async () => {
    const quarterly = await createPlan(app.db, { name: 'Cycle Beast', months: 3, connections: 8 })
    const text = `"ID","First Name","Last Name","Email","Credit","Product Name","Billing Cycle","Next Due Date"
1,Ada,Lovelace,ada@whmcs.example,0.00,Cycle Beast,Quarterly,${inDays(30)}
2,Bo,Lind,bo@whmcs.example,4.20,,,0000-00-00`
    const answer = await files.upload(text, null)
    const { suggested } = answer.state === 'columns' ? answer : expect.unreachable()
    expect(suggested).toMatchObject({
      plan: 'Product Name',
      months: 'Billing Cycle',
      paidUntil: 'Next Due Date',
      dateFormat: 'yyyy/MM/dd',
    })
    const checked = await files.upload(text, suggested)
    const { id } = checked.state === 'checked' ? checked.run : expect.unreachable()
    expect(await files.rowsOf(id)).toMatchObject([
      { verdict: 'create', plan: quarterly.name, credit: 0 },
      { verdict: 'create', plan: null, credit: 420 },
    ])
  })

  test('of XUI: lines with their expiry date and connections; a row without an email address is refused', async () => {
    const text = `id,username,password,exp_date,admin_notes,max_connections
5,xui-cy,pw,${days},"Cy Ray <cy@xui.example>, paid cash",7
6,xui-dee,pw,NULL,dee@xui.example,7
7,xui-eve,pw,${days},,7`
    const answer = await files.upload(text, null)
    const { suggested } = answer.state === 'columns' ? answer : expect.unreachable()
    const checked = await files.upload(text, suggested)
    const { id } = checked.state === 'checked' ? checked.run : expect.unreachable()
    expect(await files.rowsOf(id)).toMatchObject([
      {
        verdict: 'create',
        email: 'cy@xui.example',
        username: 'xui-cy',
        lineUsername: 'xui-cy',
        plan: 'Moved Beast',
        paidUntil: new Date(days * 1_000).toISOString(),
      },
      { verdict: 'refused', reason: 'line_without_time' },
      { verdict: 'refused', reason: 'email_missing' },
    ])
  })
})

describe('password hashes of another system', () => {
  test.each([
    ['PHP bcrypt', async () => (await bcrypt('the old one', 4)).replace('$2b$', '$2y$')],
    ['bcrypt', () => bcrypt('the old one', 4)],
    ['PHP argon2id', () => argon2('the old one', { memoryCost: 1_024, timeCost: 4, parallelism: 1 })],
    ['argon2i', () => argon2('the old one', { algorithm: 1, memoryCost: 1_024, timeCost: 2, parallelism: 1 })],
  ])('%s: the password works, and the first login replaces the hash with our own', async (_, make) => {
    const run = await files.check(importRow({ hash: await make() }))
    await files.apply(run.id)
    const { username } = (await files.rowsOf(run.id))[0]!
    expect((await files.userOf(username))!.passwordHash).toMatch(/^import:\$/)
    const login = (password: string) => app.client().post('/api/login', { username, password })
    expect((await login('not the one')).status).toBe(401)
    expect((await login('the old one')).status).toBe(200)
    expect((await files.userOf(username))!.passwordHash).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/)
    expect((await login('the old one')).status).toBe(200)
  })

  test('a failed login takes as long for an unknown username as for an imported one while imported hashes are stored, and is faster afterwards', async () => {
    const run = await files.check(importRow({ hash: await bcrypt('the old one', 4) }), importRow())
    await files.apply(run.id)
    const [imported, without] = await files.rowsOf(run.id)
    const timed = async (username: string) => {
      const from = performance.now()
      expect((await app.client().post('/api/login', { username, password: 'not the one' })).status).toBe(401)
      return performance.now() - from
    }
    for (const name of [imported!.username, without!.username, 'never-heard-of'])
      expect(await timed(name)).toBeGreaterThan(990)
    expect(
      (await app.client().post('/api/login', { username: imported!.username, password: 'the old one' })).status,
    ).toBe(200)
    expect(await timed('never-heard-of')).toBeLessThan(900)
  })
})

describe('emails to imported customers', () => {
  test('are sent on request, 30 at a time, once, and not to customers who have logged in', async () => {
    const hash = await bcrypt('the old one', 4)
    const run = await files.check(
      importRow({ hash }),
      importRow({ hash }),
      ...Array.from({ length: 30 }, () => importRow()),
    )
    const start = () => admin.client.call(emailImport, files.params(run.id))
    await expect(start()).rejects.toMatchObject({ status: 409, code: 'not_applied' })
    await files.apply(run.id)
    expect(await emailNextCustomers(app.context)).toBe(0)
    const [loggedIn, waits, without] = await files.rowsOf(run.id)
    const credentials = { username: loggedIn!.username, password: 'the old one' }
    expect((await app.client().post('/api/login', credentials)).status).toBe(200)
    expect(await start()).toMatchObject({ emailsSince: expect.any(String), emailed: 0 })
    await expect(start()).rejects.toMatchObject({ status: 409, code: 'emailed' })
    expect([
      await emailNextCustomers(app.context),
      await emailNextCustomers(app.context),
      await emailNextCustomers(app.context),
    ]).toEqual([30, 2, 0])
    const sent = await app.db.select().from(mails).where(like(mails.dedupeKey, 'import:%'))
    expect(sent.length).toBe(31)
    const sentTo = (email: string) => sent.filter(({ recipient }) => recipient === email)
    expect(sentTo(waits!.email)).toMatchObject([{ template: 'account_moved', sealed: null }])
    expect(sentTo(loggedIn!.email)).toEqual([])
    const [email] = sentTo(without!.email)
    expect(email).toMatchObject({ template: 'account_moved_password', data: { username: without!.username } })
    const link = openLink(secretKey(app.context.config), email!)!
    const choose = () =>
      app.client().post('/api/reset-password', { token: link.split('token=')[1], newPassword: 'a new one for olive' })
    expect((await choose()).status).toBe(200)
    expect((await choose()).status).toBe(400)
    const chosen = { username: without!.username, password: 'a new one for olive' }
    expect((await app.client().post('/api/login', chosen)).status).toBe(200)
  })

  test('an undo keeps the account of an emailed customer, because the email log refers to it, but removes its name and email address', async () => {
    const run = await files.check(importRow({ user: 'emailed-once' }))
    await files.apply(run.id)
    const { id } = (await files.userOf('emailed-once'))!
    await admin.client.call(emailImport, files.params(run.id))
    await emailNextCustomers(app.context)
    expect((await files.undo(run.id)).counts.undone).toBe(1)
    const [left] = await app.db.select().from(users).where(eq(users.id, id))
    expect(left).toMatchObject({ username: `removed-${id}`, email: `removed-${id}@removed.invalid` })
  })
})
