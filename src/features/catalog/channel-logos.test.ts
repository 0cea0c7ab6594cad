import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditLog, channelLogos, channels } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { detectPicture } from '#server/outbound/detect-picture.ts'
import { buildApp, type SignedIn, type TestApp } from '../../../test/harness/app.ts'
import { type FakePanel, linePassword, startFakePanel } from '../../../test/harness/fake-panel.ts'
import { faults, file, html, type Mode } from '../../../test/harness/panel-modes.ts'
import { emptyPng, jpegFile, pngFile, webpFile } from '../../../test/harness/pictures.ts'
import { updateChannel } from './admin-contract.ts'
import { getChannelLogos, importPanelChannels, updateChannelLogos } from './admin-import-contract.ts'
import { fetchLogo, startLogoWorker } from './server/import/fetch-logos.ts'
import { logosText } from './web/import/import-choice.ts'

// The shortest valid headers: only the first bytes are read.
const jpegHead = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108002000400301220002110103110100', 'hex')
const webpHead = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.alloc(4),
  Buffer.from('WEBPVP8X'),
  Buffer.from('0a000000000000003f00001f0000', 'hex'),
  Buffer.alloc(10),
])

let png: Buffer
let jpeg: Buffer
let webp: Buffer
let fake: FakePanel
let app: TestApp
let admin: SignedIn
let origin: string
beforeAll(async () => {
  png = await pngFile()
  jpeg = await jpegFile()
  webp = await webpFile({ color: '#00ff00' })
  fake = await startFakePanel()
  origin = new URL(fake.url).origin
  app = await buildApp({
    config: { panel: { url: fake.url, allowPrivate: true, userAgent: 'test', neverExpires: [] } },
  })
  admin = await app.signInAdmin()
})
afterAll(async () => {
  await app.close()
  await fake.close()
})
beforeEach(async () => {
  await app.db.delete(channels)
  await switched(false)
  for (const name of Object.keys(fake.logos)) delete fake.logos[name]
  fake.calls.length = 0
  fake.watch.categories = [{ category_id: '5', category_name: 'News' }]
  offers({ 'a.png': file(png, 'image/png'), 'b.png': file(jpeg, 'text/html') })
})

/** A channel for each logo, with the same name. */
function offers(logos: Record<string, Mode>): void {
  Object.assign(fake.logos, logos)
  fake.watch.streams = Object.keys(logos).map((name, i) => ({
    stream_id: i + 1,
    name,
    category_id: '5',
    stream_type: 'live',
    stream_icon: `${origin}/logos/${name}`,
  }))
}
const switched = (fromPanel: boolean) => admin.client.call(updateChannelLogos, { body: { fromPanel } })
const add = () =>
  admin.client.call(importPanelChannels, {
    body: { iptvUsername: 'line', iptvPassword: linePassword, categories: { news: '5' }, show: true },
  })
const fetchAll = () => startLogoWorker({ db: app.db, config: app.context.config, log: app.context.log }).jobs[0]!.run()
const shown = async () =>
  Object.fromEntries(
    (await app.db.select({ name: channels.name, logo: channels.logo }).from(channels)).map(({ name, logo }) => [
      name,
      logo,
    ]),
  )
const logoCalls = () => fake.calls.filter(({ address }) => address.pathname.startsWith('/logos/')).length

test('logos are not fetched until an administrator switches them on', async () => {
  await add()
  await fetchAll()
  expect(logoCalls()).toBe(0)
  expect(await shown()).toEqual({ 'a.png': 'mark:a.png', 'b.png': 'mark:b.png' })
  expect(await admin.client.call(getChannelLogos, {})).toEqual({
    fromPanel: false,
    waiting: 0,
    kept: 0,
    failed: 0,
    failure: null,
  })
})

test('when switched on, each logo is fetched once and served from this site; when switched off, the drawn marks are shown again', async () => {
  await switched(true)
  await add()
  expect(await admin.client.call(getChannelLogos, {})).toMatchObject({ waiting: 2, kept: 0 })
  expect(await shown()).toEqual({ 'a.png': 'mark:a.png', 'b.png': 'mark:b.png' })
  await Promise.all([fetchAll(), fetchAll()])
  await add()
  await fetchAll()
  expect(logoCalls()).toBe(2)
  expect(await admin.client.call(getChannelLogos, {})).toMatchObject({ waiting: 0, kept: 2, failed: 0 })
  const logos = await shown()
  for (const name of ['a.png', 'b.png']) {
    expect(logos[name]).toMatch(/^\/images\/[0-9a-f]{64}\.webp$/)
    const response = await app.client().request(logos[name]!)
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('x-content-type-options'),
    ]).toEqual([200, 'image/webp', 'nosniff'])
  }

  await switched(false)
  expect(await shown()).toEqual({ 'a.png': 'mark:a.png', 'b.png': 'mark:b.png' })
  await switched(true)
  expect(await shown()).toEqual(logos)
  expect(logoCalls()).toBe(2)
  expect(await app.db.select().from(auditLog).where(eq(auditLog.targetId, 'logos'))).not.toEqual([])
})

test('a logo that an administrator chose stays when panel logos are switched on or off', async () => {
  await switched(true)
  await add()
  const [row] = await app.db.select().from(channels).where(eq(channels.name, 'a.png'))
  const { id, name, category, featured, hidden, version } = row!
  await admin.client.call(updateChannel, {
    params: { channelId: id },
    body: { name, category, logo: '/logos/own.png', previewUrl: '', featured, hidden, version },
  })
  await fetchAll()
  await switched(false)
  await switched(true)
  expect(await shown()).toMatchObject({ 'a.png': '/logos/own.png', 'b.png': expect.stringContaining('/images/') })
})

test('a response that is not an image keeps the drawn mark, and is not fetched again automatically', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>alert(1)</script></svg>',
  )
  offers({
    page: html(200),
    missing: html(404),
    drawing: file(svg, 'image/png'),
    huge: file(Buffer.concat([png, Buffer.alloc(limits.logos.bytes)]), 'image/png'),
    wide: file(emptyPng(30_000, 30_000), 'image/png'),
    nothing: file(emptyPng(0, 64), 'image/png'),
    bomb: faults.bomb,
    redirect: faults.redirect,
    endless: faults.endless,
    good: file(webp, 'application/octet-stream'),
  })
  await switched(true)
  await add()
  const started = performance.now()
  await fetchAll()
  await fetchAll()
  expect(performance.now() - started).toBeLessThan(5_000)
  expect(await shown()).toMatchObject({
    page: 'mark:page',
    redirect: 'mark:redirect',
    good: expect.stringContaining('/images/'),
  })
  expect(await admin.client.call(getChannelLogos, {})).toMatchObject({ waiting: 0, kept: 1, failed: 9 })
  expect(Object.values(await shown()).filter((logo) => logo.startsWith('/images/'))).toHaveLength(1)
  expect([logoCalls(), fake.canaryHits()]).toEqual([10, 0])
  fake.logos.page = file(png, 'image/png')
  await add()
  await fetchAll()
  expect(await shown()).toMatchObject({ page: expect.stringContaining('/images/') })
})

describe('a logo address from a panel', () => {
  const fetchOptions = { panelUrl: 'http://127.0.0.1:1', allowPrivate: true, totalMs: 300 }
  test.each([
    'http://127.0.0.1:2/a.png',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/a.png',
    'http://localhost/a.png',
  ])('is not called if it is private and not the panel’s: %s', async (source) => {
    expect(await fetchLogo(source, fetchOptions)).toEqual({ failure: 'The server has a private address.' })
  })
  test('may be private only if it is the panel’s and the operator allows that', async () => {
    fake.logos.own = file(png, 'image/png')
    expect(await fetchLogo(`${origin}/logos/own`, { panelUrl: fake.url, allowPrivate: false })).toHaveProperty(
      'failure',
    )
    expect(await fetchLogo(`${origin}/logos/own`, { panelUrl: fake.url, allowPrivate: true })).toMatchObject({
      type: 'image/webp',
    })
  })
  test('is not called again after its server did not respond for five logos', async () => {
    fake.logos.slow = faults.silent
    const breakers = new Map()
    const results = []
    for (let i = 0; i < 7; i++)
      results.push(await fetchLogo(`${origin}/logos/slow`, { ...fetchOptions, panelUrl: fake.url, breakers }))
    expect(results.map((result) => 'failure' in result && result.failure)).toEqual([
      ...Array<string>(5).fill('The download timed out.'),
      ...Array<string>(2).fill('The server failed too often.'),
    ])
    expect(logoCalls()).toBe(5)
  })
  test.each([
    ['ftp://logos.example/a.png'],
    ['data:image/png;base64,AAAA'],
    ['javascript:alert(1)'],
    ['http://user:word@logos.example/a.png'],
    [`http://logos.example/${encodeURIComponent(linePassword)}/a.png`],
    [`http://logos.example/${'a'.repeat(1_000)}`],
    [null],
  ])('is not stored: %s', async (stream_icon) => {
    fake.watch.streams = [{ stream_id: 1, name: 'One', category_id: '5', stream_type: 'live', stream_icon }]
    await switched(true)
    await add()
    expect(await app.db.select().from(channelLogos)).toEqual([])
  })
})

test('the number of stored logos is limited', async () => {
  fake.watch.streams = Array.from({ length: 900 }, (_, i) => ({
    stream_id: i,
    name: `C ${i}`,
    category_id: '5',
    stream_icon: `${origin}/logos/a.png?${i}`,
  }))
  const { maxLogos } = limits.logos
  limits.logos.maxLogos = 300
  await switched(true)
  await add()
  await add()
  limits.logos.maxLogos = maxLogos
  expect(await admin.client.call(getChannelLogos, {})).toMatchObject({ waiting: 300 })
})

test.each([
  [emptyPng(192, 192), { type: 'image/png', width: 192, height: 192 }],
  [jpegHead, { type: 'image/jpeg', width: 64, height: 32 }],
  [webpHead, { type: 'image/webp', width: 64, height: 32 }],
  [Buffer.from('GIF89a'), undefined],
  [emptyPng(192, 192).subarray(0, 20), undefined],
  [jpegHead.subarray(0, 12), undefined],
  [Buffer.alloc(0), undefined],
  [Buffer.from('\ufeff<svg/>'), undefined],
])('the type of a picture is read from its bytes (%#)', (bytes, found) => {
  expect(detectPicture(bytes)).toEqual(found)
})

test('the progress is shown as text', () => {
  const logos = { fromPanel: true, waiting: 3, kept: 5, failed: 1, failure: 'The image is too large.' }
  expect(logosText(logos)).toBe(
    '5 of 9 logos are fetched. 3 are still to be fetched. 1 failed, and their channels keep the drawn mark. The last failure: The image is too large.',
  )
})
