import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sellerLines } from '#features/billing/rules.ts'
import { listPlans } from '#features/catalog/contract.ts'
import { planName, tiers } from '#features/catalog/rules.ts'
import { uploadImage } from '#features/images/admin-contract.ts'
import { jobs as imageJobs } from '#features/images/server/jobs.ts'
import { compose } from '#features/mails/server/service/compose.ts'
import { accentPath } from '#features/settings/brand-rules.ts'
import { type BrandSettings, getSite } from '#features/settings/contract.ts'
import { defaults, paymentMarks } from '#features/settings/rules.ts'
import { auditLog } from '#server/db/tables.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { createInvoice, createPlan } from '../../../test/harness/factories.ts'
import { pngFile } from '../../../test/harness/pictures.ts'
import { discardBrandDraft, getBrand, publishBrand, restoreBrand, saveBrandDraft } from './admin-contract.ts'
import {
  accentColors,
  accentSheet,
  backgrounds,
  contrast,
  hueOf,
  lowestContrastRatios,
  parseHex,
  pictureContrast,
  similarTo,
  toHex,
} from './rules.ts'

let app: TestApp
let admin: SignedIn
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
})
afterAll(() => app.close())

const standard = defaults.site.brand
const site = async () => (await app.client().call(getSite, {})).brand
const read = () => admin.client.call(getBrand, {})
const edit = async (value: Partial<BrandSettings>, version?: string) => {
  const state = await read()
  return { body: { version: version ?? state.version, value: { ...state.live, ...value } } }
}
const save = async (value: Partial<BrandSettings>, version?: string) =>
  admin.client.call(saveBrandDraft, await edit(value, version))
const publish = async (value: Partial<BrandSettings>, version?: string) =>
  admin.client.call(publishBrand, await edit(value, version))
const missing = `/images/${'0'.repeat(64)}.png`
const upload = async (use: 'logo' | 'icon', size?: { width: number; height: number }) =>
  admin.client.call(uploadImage, { query: { use }, body: new Uint8Array(await pngFile(size)) })

describe('the brand is refused', () => {
  test.each<[object, string]>([
    [{ name: ' ' }, 'value.name'],
    [{ hue: 360 }, 'value.hue'],
    [{ hue: 0.5 }, 'value.hue'],
    [{ headline: '' }, 'value.headline'],
    [{ headline: 'x'.repeat(61) }, 'value.headline'],
    [{ tagline: 'x'.repeat(81) }, 'value.tagline'],
    [{ plans: ['One', 'Two', 'Three'] }, 'value.plans'],
    [{ plans: ['One', 'One', 'Two', 'Three'] }, 'value.plans'],
    [{ mascots: [1, 2, 3] }, 'value.mascots'],
    [{ mascots: [1, 2, 3, 5] }, 'value.mascots.3'],
    [{ logo: { path: 'https://elsewhere.example/a.png', document: missing, width: 1, height: 1 } }, 'value.logo.path'],
    [{ logo: { path: missing, document: missing, width: 1, height: 1 } }, 'value.logo'],
    [{ icon: { large: missing, medium: missing, touch: missing, small: missing } }, 'value.icon'],
  ])('with an invalid value: %j', async (value, path) => {
    const before = await read()
    for (const send of [save, publish])
      await expect(send(value)).rejects.toMatchObject({ status: 400, issues: [expect.objectContaining({ path })] })
    expect(await read()).toEqual(before)
  })

  test('when another administrator has changed it', async () => {
    const { version } = await read()
    await save({ tagline: 'Another tagline' })
    for (const send of [save, publish])
      await expect(send({ name: 'Late' }, version)).rejects.toMatchObject({ status: 409, code: 'stale' })
    await admin.client.call(discardBrandDraft, {})
  })

  test('when the version to restore does not exist', async () => {
    await expect(admin.client.call(restoreBrand, { params: { versionId: 99_999 } })).rejects.toMatchObject({
      status: 404,
    })
  })
})

test('a draft is not public, and can be discarded', async () => {
  const plan = await createPlan(app.db, { name: planName(1, 1), tier: 1, connections: 1 })
  const before = await site()
  const { draft } = await save({ name: 'Draft TV', plans: ['A1', 'B1', 'C1', 'D1'], hue: 250 })
  expect(draft).toMatchObject({ name: 'Draft TV', hue: 250 })
  expect(await site()).toEqual(before)
  expect((await app.client().call(listPlans, {})).find(({ id }) => id === plan.id)?.name).toBe(planName(1, 1))
  expect((await admin.client.call(discardBrandDraft, {})).draft).toBeNull()
})

test('publishing changes site, plans and cached responses, keeps invoices, and is audited; an earlier version can be restored', async () => {
  const plan = await createPlan(app.db, { name: planName(3, 2), tier: 3, months: 6, connections: 2 })
  const { user } = await app.signIn()
  const invoice = await createInvoice(app.db, { userId: user.id, planId: plan.id, planName: plan.name })
  await save({ name: 'Waiting TV' })
  const names = ['Small', 'Medium', 'Large', 'Huge']
  const after = await publish({ name: 'Kiwi TV', mascot: false, hue: 195, plans: names, headline: 'Watch it all' })
  expect(after).toMatchObject({ draft: null, live: { name: 'Kiwi TV', hue: 195 } })
  expect(await site()).toMatchObject({ name: 'Kiwi TV', mascot: false, hue: 195, headline: 'Watch it all' })
  const renamed = async () => (await app.client().call(listPlans, {})).find(({ id }) => id === plan.id)?.name
  expect(await renamed()).toBe('Large: 6 Months, 2 Connections')
  const { rows } = await app.database.pool.query('SELECT plan_name FROM invoices WHERE id = $1', [invoice.id])
  expect(rows[0].plan_name).toBe(plan.name)
  const last = async () => (await app.db.select().from(auditLog).orderBy(sql`id desc`).limit(1))[0]
  expect(await last()).toMatchObject({
    action: 'brand.publish',
    actorId: admin.user.id,
    after: { brand: { hue: 195 } },
  })

  expect(after.versions.map(({ value, by }) => [value.name, by])).toEqual([
    ['Kiwi TV', admin.user.username],
    [standard.name, null],
  ])
  const restored = await admin.client.call(restoreBrand, { params: { versionId: after.versions[1]!.id } })
  expect(restored.live).toEqual(standard)
  expect(await site()).toEqual(standard)
  expect(await renamed()).toBe(planName(3, 2))
  expect(await last()).toMatchObject({ action: 'brand.restore' })
})

test('an uploaded logo and icon are kept while a version refers to them, and are shown in emails and PDF files', async () => {
  const [logo, icon] = [await upload('logo', { width: 600, height: 300 }), await upload('icon')]
  expect(logo).toMatchObject({ width: 320, height: 160, variants: { document: expect.stringMatching(/\.png$/) } })
  const { small, touch, medium } = icon.variants as Record<'small' | 'touch' | 'medium', string>
  for (const [path, size] of [
    [icon.path, 512] as const,
    [small, 32] as const,
    [touch, 180] as const,
    [medium, 192] as const,
  ]) {
    const response = await app.client().request(path)
    expect([response.headers.get('content-type'), response.headers.get('cross-origin-resource-policy')]).toEqual([
      'image/png',
      'cross-origin',
    ])
    expect(await sharp(Buffer.from(await response.arrayBuffer())).metadata()).toMatchObject({
      width: size,
      height: size,
    })
  }
  const { document } = logo.variants as { document: string }
  await publish({
    logo: { path: logo.path, document, width: logo.width, height: logo.height },
    icon: { large: icon.path, medium, touch, small },
  })
  await app.db.execute(sql`update images set stored_at = now() - interval '2 days'`)
  await imageJobs(app.db)[0]!.run()
  expect((await app.client().request(logo.path)).status).toBe(200)

  const { mailBody } = await compose(app.db, app.context.config, {
    template: 'welcome',
    data: { username: 'ben' },
    userId: admin.user.id,
  })
  expect(mailBody.brand.logo).toEqual({
    url: app.context.config.publicUrl + document,
    width: 72,
    height: 36,
    containsName: true,
  })
  expect(await app.context.renderMail(mailBody)).toContain(`src="${app.context.config.publicUrl}${document}"`)

  const customer = await app.signIn()
  const plan = await createPlan(app.db, { tier: 2, connections: 5 })
  const invoice = await createInvoice(app.db, { userId: customer.user.id, planId: plan.id })
  const pdf = await customer.client.request(`/invoice/${invoice.invoiceNumber}/pdf`)
  expect([
    pdf.status,
    Buffer.from(await pdf.arrayBuffer())
      .toString('latin1')
      .includes('/Subtype /Image'),
  ]).toEqual([200, true])
  const [entry] = await app.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, 'brand.publish'))
    .orderBy(sql`id desc`)
    .limit(1)
  expect(entry?.after).toMatchObject({ brand: { logo: { path: logo.path } } })
})

test('emails have the accent color, and can be previewed in a brand that is not public', async () => {
  const preview = (query: string) => admin.client.request(`/api/admin/mail-templates/welcome/document?${query}`)
  const shown = await (await preview('name=Draft+TV&hue=195')).text()
  const { brand, text } = accentColors(195)
  for (const part of ['Draft TV', toHex(brand.light), toHex(text.light), toHex(text.dark)])
    expect(shown).toContain(part)
  expect(shown).not.toContain(toHex(accentColors(standard.hue).brand.light))
  expect(await (await preview('')).text()).not.toContain('Draft TV')
  for (const query of ['hue=360', 'logo=https://elsewhere.example/a.png', 'width=0'])
    expect((await preview(`name=A&${query}`)).status, query).toBe(400)
  await publish({ hue: 305, logo: null })
  const { mailBody } = await compose(app.db, app.context.config, {
    template: 'welcome',
    data: { username: 'ben' },
    userId: null,
  })
  expect(mailBody.brand.accent.button).toBe(toHex(accentColors(305).brand.light))
})

test('the site returns its icons and payment methods; without the mascot, the icons are plain bars', async () => {
  await publish({ mascot: false, icon: null })
  const whole = await app.client().call(getSite, {})
  expect(whole.paymentMarks).toEqual(['Visa', 'Mastercard', 'American Express', 'PayPal', 'Apple Pay'])
  for (const path of Object.values(whole.icons)) {
    expect(path).toMatch(/^\/plain/)
    expect(existsSync(join('public', path)), path).toBe(true)
  }
  expect(await (await app.client().request('/manifest.webmanifest')).text()).not.toMatch(/favicon|maskable/)
  expect(paymentMarks({ ...defaults.payments, cashtag: '$Kiwi', venmoHandle: '' }).slice(5)).toEqual(['Cash App'])
  const offers = { cashapp: false, venmo: true, creditcard: false }
  expect(paymentMarks({ ...defaults.payments, offers, cashtag: '$Kiwi', venmoHandle: '@kiwi' })).toEqual(['Venmo'])
})

test('the seller on invoices is the brand until its lines are set', () => {
  const site = { ...defaults.site, brand: { ...standard, name: 'Kiwi TV' } }
  expect(sellerLines(defaults.payments, site)).toEqual(['Kiwi TV', defaults.site.contact.email])
  expect(sellerLines({ billFrom: ['Kiwi Ltd', '1 Main Street'] }, site)).toEqual(['Kiwi Ltd', '1 Main Street'])
})

describe('an accent hue', () => {
  test('meets contrast level AA in both themes, whatever the hue', () => {
    for (let hue = 0; hue < 360; hue++) {
      const { button, link, graphic } = lowestContrastRatios(hue)
      expect(button, `buttons at ${hue}`).toBeGreaterThanOrEqual(4.5)
      expect(link, `links at ${hue}`).toBeGreaterThanOrEqual(4.5)
      expect(graphic, `graphics at ${hue}`).toBeGreaterThanOrEqual(3)
    }
  })

  test('has a style sheet with its own URL, except for the default hue', async () => {
    expect(accentPath(standard.hue)).toBeUndefined()
    const response = await app.client().request(accentPath(195)!)
    expect(await response.text()).toBe(accentSheet(195))
    expect(response.headers.get('content-type')).toMatch(/^text\/css/)
    expect(response.headers.get('cache-control')).toContain('immutable')
    for (const path of ['/accent/v1-360.css', '/accent/v1-007.css', '/accent/v2-1.css', '/accent/1.css'])
      expect((await app.client().request(path)).status, path).toBe(404)
  })

  test('has the same style sheet in every release with this version in the URL', () => {
    const all = createHash('sha256')
    for (let hue = 0; hue < 360; hue++) all.update(accentSheet(hue))
    // If you change the colors, also change `v1` in `accentPath` and in the contract: browsers cache the sheet and never request it again.
    expect(all.digest('hex').slice(0, 16)).toBe('39c66c18f8cd5d6f')
  })

  test('is reported if it is near the color of errors or of successes', () => {
    expect([6, 34, 35, 5, 136, 164, 165, 41, 359].map(similarTo)).toEqual([
      'error',
      'error',
      null,
      null,
      'success',
      'success',
      null,
      null,
      null,
    ])
  })

  test('is taken from a pasted color; grays have no hue', () => {
    expect(hueOf(parseHex('#fc641e')!)).toBe(standard.hue)
    expect(hueOf(parseHex('808080')!)).toBeNull()
    expect([parseHex('#fc641'), parseHex('red')]).toEqual([null, null])
    expect(contrast(parseHex('#000000')!, parseHex('#ffffff')!)).toBeCloseTo(21, 5)
  })
})

test('the contrast of a logo is the median of its visible pixels', () => {
  const white = [255, 255, 255, 255]
  const black = [0, 0, 0, 255]
  const hidden = [0, 0, 0, 0]
  expect(pictureContrast([...white, ...white, ...black, ...hidden], backgrounds.light)).toBeLessThan(1.2)
  expect(pictureContrast([...white, ...white, ...black, ...hidden], backgrounds.dark)).toBeGreaterThan(15)
  expect(pictureContrast(hidden, backgrounds.dark)).toBe(1)
})

test('the names of the specification are the defaults', () => {
  expect(standard.plans).toEqual(tiers.map(({ name }) => name))
})
