import { desc } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { getSetting, type SettingSection, settingSections, updateSetting } from './admin-contract.ts'
import { getLegalText, getPaymentMethods, getSite } from './contract.ts'
import { defaults } from './rules.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const read = (section: SettingSection) => admin.client.call(getSetting, { params: { section } })
const save = async (section: SettingSection, value: Record<string, unknown>, version?: string) =>
  admin.client.call(updateSetting, {
    params: { section },
    body: { version: version ?? (await read(section)).version, value },
  })
const site = () => app.client().call(getSite, {})

describe('saving settings rejects', () => {
  const { apps, playerUrl, setup } = defaults.site
  test.each<[SettingSection, object, string]>([
    ['contact', { contact: { email: 'nobody', phone: '' } }, 'value.contact.email'],
    ['apps', { apps: { ...apps, web: 'javascript:alert(1)' }, playerUrl, setup }, 'value.apps.web'],
    ['apps', { apps, playerUrl, setup: { ...setup, videoUrl: '//elsewhere.example/a.mp4' } }, 'value.setup.videoUrl'],
    ['payments', { ...defaults.payments, cashtag: 'SauceTV' }, 'value.cashtag'],
    ['payments', { ...defaults.payments, notePrefix: '' }, 'value.notePrefix'],
    ['invoices', { validDays: 0, reminderHours: 24 }, 'value.validDays'],
    ['referrals', { percent: 101 }, 'value.percent'],
    ['renewals', { daysAhead: 10, reminderDays: 'a week' }, 'value.reminderDays'],
    ['claims', { claims: { ...defaults.site.claims, countries: '' } }, 'value.claims.countries'],
    ['socials', { socials: [{ label: 'Blog', url: '' }] }, 'value.socials.0.url'],
    ['chat', { provider: 'crisp', websiteId: 'no', url: '' }, 'value.websiteId'],
  ])('invalid values of %s with the field path', async (section, value, path) => {
    const before = await read(section)
    await expect(save(section, value as Record<string, unknown>)).rejects.toMatchObject({
      status: 400,
      issues: [{ path, message: expect.stringMatching(/^Please/) }],
    })
    expect(await read(section)).toEqual(before)
  })

  test('a stale change, including the second of two concurrent changes', async () => {
    const { version } = await read('referrals')
    const both = await Promise.allSettled([
      save('referrals', { percent: 20 }, version),
      save('referrals', { percent: 30 }, version),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(save('referrals', { percent: 40 }, version)).rejects.toMatchObject({ status: 409, code: 'stale' })
    await save('referrals', { percent: 15 })
  })

  test('an unknown section', async () => {
    expect((await admin.client.request('/api/admin/settings/passwords')).status).toBe(404)
  })
})

describe('a saved section', () => {
  test.each(Object.keys(settingSections) as SettingSection[])('%s can be saved unchanged', async (section) => {
    const { value, version } = await read(section)
    expect(await save(section, value)).toMatchObject({ value, version })
  })

  test('is public immediately, is audited with the changed fields only, and does not change other sections', async () => {
    const claims = await read('claims')
    await save('contact', { contact: { email: 'hello@kiwi.example', phone: '+64 1' } })
    await save('trials', { claims: { trialHours: '12' } })
    await save(
      'claims',
      { claims: { ...(claims.value as { claims: object }).claims, countries: '120+' } },
      claims.version,
    )
    expect(await site()).toMatchObject({
      brand: defaults.site.brand,
      contact: { email: 'hello@kiwi.example', phone: '+64 1' },
      claims: { ...defaults.site.claims, countries: '120+', trialHours: '12' },
    })
    const [last] = await app.db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1)
    expect(last).toMatchObject({
      action: 'settings.update',
      actorId: admin.user.id,
      targetId: 'site',
      after: { claims: { countries: '120+' } },
    })
    expect(Object.keys(last!.after!)).toEqual(['claims'])
  })

  test('that is saved unchanged adds no audit entry', async () => {
    const count = async () => (await app.db.select().from(auditLog)).length
    const before = await count()
    await save('invoices', (await read('invoices')).value)
    expect(await count()).toBe(before)
  })

  test('of the setup guide accepts a video on this site or a link to another site', async () => {
    const { value } = await read('apps')
    for (const videoUrl of ['/videos/ours.mp4', 'https://videos.example/ours', '']) {
      await save('apps', { ...value, setup: { ...(value.setup as object), videoUrl } })
      expect((await site()).setup.videoUrl).toBe(videoUrl)
    }
  })

  test('of payments is shown to customers', async () => {
    await save('payments', { ...defaults.payments, cashtag: '$KiwiTV', billFrom: ['Kiwi TV', '1 Harbor Road'] })
    const customer = await app.signIn()
    expect(await customer.client.call(getPaymentMethods, {})).toMatchObject({
      cashtag: '$KiwiTV',
      billFrom: ['Kiwi TV', '1 Harbor Road'],
    })
  })

  test('of legal texts replaces the standard text, and an empty text restores it', async () => {
    const terms = () => app.client().call(getLegalText, { params: { document: 'terms' } })
    const { text: standard } = await terms()
    await save('terms', { text: '## Ours\n\nWrite to {email}.' })
    expect((await terms()).text).toBe('## Ours\n\nWrite to hello@kiwi.example.')
    const { standard: shown } = await save('terms', { text: '' })
    expect(shown).toContain('{brand}')
    expect((await terms()).text).toBe(standard)
  })
})
