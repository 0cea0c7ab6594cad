import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { announcementRecipients, announcements, auditLog, mails, plans, users } from '#server/db/tables.ts'
import { smtp } from '#server/mail/smtp.ts'
import { readSmtpUrl } from '#server/mail/smtp-address.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createUser } from '../../../test/harness/factories.ts'
import { header } from '../../../test/harness/mail-parts.ts'
import { type Sink, startSink } from '../../../test/harness/smtp-sink.ts'
import { checkInvariants } from '../../all-invariants.ts'
import { sendMails } from '../mails/server/service/send-mails.ts'
import { getSite } from '../settings/contract.ts'
import * as admin from './admin-contract.ts'
import { getNews, listOwnAnnouncements, setNews } from './contract.ts'
import { endAnnouncements } from './server/service/publish-announcement.ts'
import { sendAnnouncements } from './server/service/send-announcements.ts'

let app: TestApp
let sink: Sink
let staff: SignedIn
let planId: number
beforeAll(async () => {
  sink = await startSink()
  const server = { ...readSmtpUrl(sink.url)!, from: { name: '', address: 'mail@saucetv.example' } }
  app = await buildApp({ config: { smtp: server } })
  staff = await app.signInAdmin()
  await app.database.pool.query(
    `INSERT INTO settings (key, value) VALUES ('accounts', '{"emailVerification":"optional"}')`,
  )
  const [plan] = await app.db
    .insert(plans)
    .values({ name: 'Beast', tier: 2, months: 1, connections: 1, price: 900, billing: 'month', features: [] })
    .returning({ id: plans.id })
  planId = plan!.id
})
afterAll(async () => {
  await Promise.all([app.close(), sink.close()])
})

const day = 86_400_000
const at = (ms: number) => new Date(Date.now() + ms).toISOString()
const usual: admin.AnnouncementFields = {
  ...{ kind: 'news', title: 'New channels', summary: 'Twelve new channels.', body: 'All have a guide.' },
  ...{ linkLabel: 'See them', linkPath: '/channels', audience: 'customers', planIds: [] },
  ...{ onSite: false, siteUntil: null, emails: true, perHour: 1200 },
}
const save = (more: Partial<admin.AnnouncementFields> = {}) =>
  staff.client.call(admin.createAnnouncement, { body: { ...usual, ...more } })
const publish = async (more: Partial<admin.AnnouncementFields> = {}) => {
  const { id, version } = await save(more)
  const params = { announcementId: id }
  const { customers } = await staff.client.call(admin.previewAnnouncement, { params })
  return staff.client.call(admin.publishAnnouncement, { params, body: { version, expectedCustomers: customers } })
}
const send = () => sendAnnouncements(app.context)
const recipientsOf = (id: number) =>
  app.db
    .select({ userId: announcementRecipients.userId, state: announcementRecipients.state })
    .from(announcementRecipients)
    .where(eq(announcementRecipients.announcementId, id))
const customer = (more: object = {}) =>
  app.signIn({ emailVerifiedAt: new Date().toISOString(), newsSince: new Date().toISOString(), ...more })
const running = () => ({
  ...{ planId, subscriptionStatus: 'active' as const },
  ...{ subscriptionStartDate: at(-day), subscriptionEndDate: at(20 * day) },
})
const outbox = () => ({
  ...app.context,
  keys: () => secretKey(app.context.config),
  loadSmtp: async () => smtp(app.context.config.smtp!),
})
const brokenInvariants = async () => (await checkInvariants(app.db)).results.filter(({ broken }) => broken.length > 0)

test('an invalid draft is refused with the field that is invalid, and nothing is stored', async () => {
  const before = await app.db.$count(announcements)
  const refused = async (more: object) => {
    const response = await staff.client.post('/api/admin/announcements', { ...usual, ...more })
    const { issues } = (await response.json()) as { issues?: { path: string }[] }
    return [response.status, issues?.[0]?.path]
  }
  expect(await refused({ title: ' ' })).toEqual([400, 'title'])
  expect(await refused({ summary: '' })).toEqual([400, 'summary'])
  expect(await refused({ onSite: false, emails: false })).toEqual([400, 'onSite'])
  expect(await refused({ onSite: true, siteUntil: at(-day) })).toEqual([400, 'siteUntil'])
  expect(await refused({ linkPath: 'https://elsewhere.example/' })).toEqual([400, 'linkPath'])
  expect(await refused({ linkPath: '//elsewhere.example/' })).toEqual([400, 'linkPath'])
  expect(await refused({ linkPath: '' })).toEqual([400, 'linkPath'])
  expect(await refused({ linkLabel: '' })).toEqual([400, 'linkLabel'])
  expect(await refused({ audience: 'plans' })).toEqual([400, 'planIds'])
  expect(await refused({ audience: 'plans', planIds: [planId, 999] })).toEqual([400, 'planIds'])
  expect(await refused({ perHour: 59 })).toEqual([400, 'perHour'])
  expect(await refused({ body: 'x'.repeat(5001) })).toEqual([400, 'body'])
  expect(await app.db.$count(announcements)).toBe(before)
})

test('an outdated draft cannot be published, and a published announcement can be neither changed nor deleted', async () => {
  const draft = await save({ audience: 'customers', onSite: true, emails: false })
  const params = { announcementId: draft.id }
  const edited = await staff.client.call(admin.updateAnnouncement, {
    params,
    body: { ...usual, onSite: true, emails: false, title: 'Newer channels', version: draft.version },
  })
  const act = (version: number) =>
    staff.client.call(admin.publishAnnouncement, { params, body: { version, expectedCustomers: 0 } })
  await expect(act(draft.version)).rejects.toMatchObject({ code: 'stale' })
  const both = await Promise.allSettled([act(edited.version), act(edited.version)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const change = { ...usual, version: edited.version + 1 }
  await expect(staff.client.call(admin.updateAnnouncement, { params, body: change })).rejects.toMatchObject({
    code: 'published',
  })
  await expect(staff.client.call(admin.deleteAnnouncement, { params })).rejects.toMatchObject({ code: 'published' })
  await staff.client.call(admin.withdrawAnnouncement, { params, body: { version: edited.version + 1 } })
})

test('without a mail server, an announcement with emails cannot be published', async () => {
  const { id, version } = await save()
  const { smtp: server } = app.context.config
  app.context.config.smtp = undefined
  try {
    const params = { announcementId: id }
    await expect(
      staff.client.call(admin.publishAnnouncement, { params, body: { version, expectedCustomers: 0 } }),
    ).rejects.toMatchObject({ code: 'no_mail_server' })
  } finally {
    app.context.config.smtp = server
  }
})

test('news is emailed only to customers who want it and have a confirmed address, and publishing is refused if their number has changed', async () => {
  const wanted = await customer(running())
  await app.signIn({ ...running(), newsSince: at(0) })
  await app.signIn({ ...running(), emailVerifiedAt: at(0) })
  const draft = await save({ audience: 'active' })
  const params = { announcementId: draft.id }
  const preview = await staff.client.call(admin.previewAnnouncement, { params })
  expect(preview).toMatchObject({ customers: 1, unwilling: 1, unconfirmed: 1, subject: 'New channels' })
  expect(preview.text).toContain('Twelve new channels.')
  const later = await customer(running())
  const act = (expectedCustomers: number) =>
    staff.client.call(admin.publishAnnouncement, { params, body: { version: draft.version, expectedCustomers } })
  await expect(act(1)).rejects.toMatchObject({ code: 'customers_changed' })
  expect(await recipientsOf(draft.id)).toEqual([])
  await expect(act(2)).resolves.toMatchObject({ state: 'published', counts: { waiting: 2, emailed: 0 } })
  // One customer turns news emails off before the email is sent.
  await later.client.call(setNews, { body: { wanted: false } })
  expect(await send()).toBe(1)
  expect(await send()).toBe(0)
  expect((await recipientsOf(draft.id)).sort((a, b) => a.userId - b.userId)).toEqual([
    { userId: wanted.user.id, state: 'emailed' },
    { userId: later.user.id, state: 'skipped' },
  ])
  expect(await brokenInvariants()).toEqual([])
})

test('a recipient unsubscribes in one click without a page, a session or an origin header, and a second click changes nothing', async () => {
  const reader = await customer(running())
  await app.db.update(users).set({ newsSince: null }).where(sql`id <> ${reader.user.id}`)
  const { id } = await publish()
  await send()
  sink.mails.length = 0
  await sendMails(outbox())
  const received = sink.mails.find(({ to }) => to.includes(reader.user.email))!
  expect(header(received, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const url = new URL(header(received, 'list-unsubscribe').slice(1, -1))
  expect(received.text).toContain(`Unsubscribe: ${url}`)
  expect(url.pathname).toBe('/unsubscribe')
  const press = (search: string, headers: Record<string, string> = {}) =>
    app.app.request(`/unsubscribe${search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'localhost:3000', ...headers },
      body: 'List-Unsubscribe=One-Click',
    })
  expect((await press('?token=wrong')).status).toBe(404)
  expect((await press(url.search, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await press('')).status).toBe(400)
  expect(await reader.client.call(getNews, {})).toMatchObject({ wanted: true })
  expect((await press(url.search)).status).toBe(200)
  expect((await press(url.search)).status).toBe(200)
  expect(await reader.client.call(getNews, {})).toMatchObject({ wanted: false })
  const entries = await app.db
    .select({ after: auditLog.after })
    .from(auditLog)
    .where(and(eq(auditLog.action, 'user.news_off'), eq(auditLog.targetId, String(reader.user.id))))
  expect(entries).toEqual([{ after: { by: 'unsubscribe link' } }])
  const all = await staff.client.call(admin.listAnnouncements, {})
  expect(all.find((each) => each.id === id)).toMatchObject({ counts: { emailed: 1, unsubscribed: 1 } })
})

test('emails are sent at the pace of the announcement, each person gets one, and withdrawing the announcement stops the rest', async () => {
  for (let index = 0; index < 5; index++) await createUser(app.db, running())
  const published = await publish({ kind: 'service', audience: 'plans', planIds: [planId], perHour: 120 })
  const total = published.counts.waiting
  expect(total).toBeGreaterThanOrEqual(5)
  expect(await send()).toBe(2)
  expect(await Promise.all([send(), send()])).toEqual(expect.arrayContaining([expect.any(Number)]))
  const sent = await app.db
    .select({ key: mails.dedupeKey })
    .from(mails)
    .where(eq(mails.template, 'service_announcement'))
  const emailed = (await recipientsOf(published.id)).filter(({ state }) => state === 'emailed')
  expect(sent).toHaveLength(emailed.length)
  const params = { announcementId: published.id }
  const withdrawn = await staff.client.call(admin.withdrawAnnouncement, {
    params,
    body: { version: published.version },
  })
  expect(withdrawn.counts).toMatchObject({ waiting: 0, emailed: emailed.length })
  expect(await send()).toBe(0)
  expect(await brokenInvariants()).toEqual([])
})

test('the site shows an announcement to its audience until its time is over or it is withdrawn', async () => {
  const [buyer, newcomer] = [await app.signIn(running()), await app.signIn()]
  const onSite = { onSite: true, emails: false, kind: 'service' as const }
  const forAll = await publish({ ...onSite, audience: 'everyone', title: 'For all', siteUntil: at(day) })
  const forNew = await publish({ ...onSite, audience: 'never', title: 'For newcomers' })
  const site = () => app.client().call(getSite, {})
  expect(await site()).toMatchObject({
    announcements: [{ id: forAll.id, title: 'For all', linkPath: '/channels' }],
    isAnnouncing: true,
  })
  const titles = async ({ client }: SignedIn) =>
    (await client.call(listOwnAnnouncements, {})).filter(({ isShown }) => isShown).map(({ title }) => title)
  expect(await titles(buyer)).toEqual(['For all'])
  expect(await titles(newcomer)).toEqual(['For newcomers', 'For all'])
  await app.db
    .update(announcements)
    .set({ siteUntil: at(-1000) })
    .where(eq(announcements.id, forAll.id))
  expect(await endAnnouncements(app.db)).toBe(1)
  expect(await endAnnouncements(app.db)).toBe(0)
  const params = { announcementId: forNew.id }
  await staff.client.call(admin.withdrawAnnouncement, { params, body: { version: forNew.version } })
  expect(await site()).toMatchObject({ announcements: [], isAnnouncing: false })
  expect(await titles(newcomer)).toEqual([])
})

test('a test email goes only to the administrator, and the email is shown as a document', async () => {
  const { id } = await save()
  const params = { announcementId: id }
  await staff.client.call(admin.testAnnouncement, { params })
  const sent = await app.db.select().from(mails).where(eq(mails.userId, staff.user.id))
  expect(sent).toMatchObject([{ template: 'announcement', recipient: staff.user.email }])
  const response = await staff.client.request(`/api/admin/announcements/${id}/email`)
  expect(await response.text()).toContain('Unsubscribe')
  expect((await staff.client.call(admin.deleteAnnouncement, { params })).id).toBe(id)
})
