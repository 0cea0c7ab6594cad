import { desc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/caller.ts'
import { auditLog, mails } from '#server/db/tables.ts'
import { sealLink } from '#server/mail/enqueue-mail.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { dataFolder } from '../../../test/harness/running-app.ts'
import { getMail, listMails, listTemplates, resendMail, revealMail, testTemplate } from './admin-contract.ts'
import { templates } from './server/templates.ts'

const data = dataFolder()
let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp({ config: { dataDir: data.path } })
  admin = await app.signInAdmin()
})
beforeEach(() => app.database.pool.query('truncate mails restart identity cascade'))
afterAll(async () => {
  await app.close()
  data.remove()
})

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof ApiError ? [error.status, error.code] : error),
  )
const lastAudit = async () => (await app.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1))[0]
type Row = typeof mails.$inferInsert
const add = async (overrides: Partial<Row> = {}): Promise<number> => {
  const row = {
    dedupeKey: `mail:${Math.random()}`,
    userId: null,
    recipient: 'olive@example.org',
    template: 'welcome',
    data: { username: 'olive' },
    ...overrides,
  }
  const [mail] = await app.db.insert(mails).values(row).returning({ id: mails.id })
  return mail!.id
}
const resetMail = (overrides: Partial<Row> = {}) => {
  const dedupeKey = `password_reset:${Math.random()}`
  return add({
    dedupeKey,
    template: 'password_reset',
    data: {},
    sealed: sealLink(secretKey(app.context.config), dedupeKey, '/reset-password?token=canary'),
    ...overrides,
  })
}

describe('a link with a token', () => {
  test.each(['queued', 'sent', 'failed', 'kept'] as const)(
    'of an email with the status %s appears in no response of the mail log',
    async (status) => {
      const id = await resetMail({ status })
      for (const path of ['/api/admin/mails', `/api/admin/mails/${id}`, `/api/admin/mails/${id}/document`]) {
        const response = await admin.client.request(path)
        expect(response.status).toBe(200)
        expect(await response.text()).not.toMatch(/canary|sealed|v\d:/)
      }
    },
  )

  test('is revealed only for an email that was not sent, after an audit entry was written', async () => {
    for (const status of ['queued', 'sent', 'failed'] as const)
      expect(await errorOf(admin.client.call(revealMail, { params: { mailId: await resetMail({ status }) } }))).toEqual(
        [409, 'nothing_to_reveal'],
      )
    expect(await errorOf(admin.client.call(revealMail, { params: { mailId: await add({ status: 'kept' }) } }))).toEqual(
      [409, 'nothing_to_reveal'],
    )
    const id = await resetMail({ status: 'kept' })
    expect(await admin.client.call(revealMail, { params: { mailId: id } })).toEqual({
      link: 'http://localhost:3000/reset-password?token=canary',
    })
    const row = await lastAudit()
    expect(row).toMatchObject({
      actorId: admin.user.id,
      action: 'mail.reveal',
      targetId: String(id),
      after: { recipient: 'olive@example.org' },
    })
    expect(JSON.stringify(row) + app.logs.join('')).not.toContain('canary')
  })
})

describe('resending', () => {
  test('is refused for a queued email and for an email without its required link', async () => {
    expect(await errorOf(admin.client.call(resendMail, { params: { mailId: 99 } }))).toEqual([404, 'not_found'])
    expect(await errorOf(admin.client.call(resendMail, { params: { mailId: await add() } }))).toEqual([
      409,
      'already_queued',
    ])
    const lost = await resetMail({ status: 'sent', sealed: null })
    expect(await errorOf(admin.client.call(resendMail, { params: { mailId: lost } }))).toEqual([409, 'link_gone'])
    expect(await admin.client.call(getMail, { params: { mailId: lost } })).toMatchObject({ canResend: false })
  })

  test('resets the attempts, is audited, and takes effect once for twenty concurrent requests', async () => {
    const id = await add({ status: 'failed', attempts: 5, lastError: '550 no such person' })
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => errorOf(admin.client.call(resendMail, { params: { mailId: id } }))),
    )
    expect(responses.filter((response) => response === 'no error')).toHaveLength(1)
    const [row] = await app.db.select().from(mails).where(eq(mails.id, id))
    expect(row).toMatchObject({ status: 'queued', attempts: 0, lastError: null, resends: 1 })
    expect(await lastAudit()).toMatchObject({
      action: 'mail.resend',
      targetId: String(id),
      before: { status: 'failed' },
      after: { status: 'queued' },
    })
  })
})

describe('the mail log', () => {
  test('is paged, newest first, filtered by status and searched by recipient, user, template and id', async () => {
    const { user } = await app.signIn({ username: 'quinn_q' })
    const failed = await add({ status: 'failed', recipient: 'per%cent@example.org', lastError: '550 no' })
    const theirs = await add({
      userId: user.id,
      template: 'trial_ending',
      data: { expiryDate: '2026-11-23T20:00:00.000Z' },
    })
    const last = await add()
    const ids = async (query: object) => (await admin.client.call(listMails, { query })).rows.map(({ id }) => id)
    expect(await ids({})).toEqual([last, theirs, failed])
    expect(await ids({ page: 2, pageSize: 2 })).toEqual([failed])
    expect(await ids({ status: 'failed' })).toEqual([failed])
    for (const search of ['QUINN_Q', 'trial ending', `#${theirs}`]) expect(await ids({ search })).toEqual([theirs])
    for (const search of ['PER%CENT', '%']) expect(await ids({ search })).toEqual([failed])
    expect(await ids({ search: 'nobody-at-all' })).toEqual([])
    expect((await admin.client.call(listMails, { query: { search: 'quinn' } })).rows).toMatchObject([
      { title: 'Trial ending', username: 'quinn_q', status: 'queued' },
    ])
  })

  test('shows the text of an email, or why it cannot be composed', async () => {
    const good = await admin.client.call(getMail, { params: { mailId: await add() } })
    expect(good).toMatchObject({
      subject: 'Welcome to SauceTV',
      text: expect.stringContaining('Your username is olive'),
      trouble: null,
      canReveal: false,
    })
    for (const broken of [{ template: 'nothing' }, { template: 'payment_confirmed' }]) {
      const id = await add({ ...broken, status: 'failed' })
      expect(await admin.client.call(getMail, { params: { mailId: id } })).toMatchObject({
        subject: null,
        text: null,
        trouble: expect.any(String),
      })
      expect((await admin.client.request(`/api/admin/mails/${id}/document`)).status).toBe(409)
    }
  })

  test('notifies all open admin pages when an email is resent', async () => {
    const listening = await app.database.pool.connect()
    const payloads: string[] = []
    listening.on('notification', ({ payload = '' }) => payloads.push(payload))
    await listening.query('listen sauce')
    await admin.client.call(resendMail, { params: { mailId: await add({ status: 'sent' }) } })
    await expect.poll(() => payloads.join('\n')).toContain('"topics":["mail"]')
    expect(payloads.join('\n')).toContain('outbox')
    listening.release(true)
  })
})

describe('the preview document of an email', () => {
  test('is HTML that cannot run scripts or submit forms, loads only images from this site, and cannot be framed by other sites', async () => {
    const response = await admin.client.request(
      `/api/admin/mails/${await add({ template: 'trial_denied', data: { adminNotes: '<script>alert(1)</script>' } })}/document`,
    )
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const policy = response.headers.get('content-security-policy')!.split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      "style-src 'unsafe-inline'",
      "img-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      'sandbox',
    ])
    const html = await response.text()
    expect(html).toContain('&lt;script&gt;alert(1)')
    expect(html).not.toMatch(/<script|<img|<link|url\(|@import|src=/)
  })
})

describe('templates', () => {
  test('are all listed with their subjects', async () => {
    const { templates: listed, from } = await admin.client.call(listTemplates, {})
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(templates))
    expect(listed.every(({ title, subject }) => title && subject)).toBe(true)
    expect(from).toBeNull()
  })

  test.each(['nothing', 'to_string', '__proto__'])('%s is not a template', async (template) => {
    expect((await admin.client.request(`/api/admin/mail-templates/${template}/document`)).status).toBe(404)
    expect(await errorOf(admin.client.call(testTemplate, { params: { template } }))).toEqual([404, 'not_found'])
  })

  test.each(Object.keys(templates))('%s is shown and sent to the requesting administrator only', async (template) => {
    const shown = await admin.client.request(`/api/admin/mail-templates/${template}/document`)
    expect(await shown.text()).toContain('</html>')
    expect(await admin.client.call(testTemplate, { params: { template } })).toEqual({ recipient: admin.user.email })
    expect(await app.db.select().from(mails)).toMatchObject([
      { template, recipient: admin.user.email, userId: admin.user.id, status: 'queued' },
    ])
    expect(await lastAudit()).toMatchObject({ action: 'mail.test', targetId: template })
  })
})
