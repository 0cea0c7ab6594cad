// Direct delivery: the page loads streams from a load balancer of the panel, over HTTPS.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { getDirect, setDirect } from '#features/watch/admin-direct-contract.ts'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import { localCertificate } from '../test/harness/certificate.ts'
import { type DirectBalancer, startDirectBalancer } from '../test/harness/direct-balancer.ts'
import { linePassword } from '../test/harness/fake-panel.ts'
import { bytes, playlist, redirect, segmentOf, transport } from '../test/harness/fake-streams.ts'
import { sendWrite } from './order.ts'
import { often } from './playback.ts'
import { alert, test as base, button, expectMoving, expectPlaying, player } from './watching.ts'
import type { Zone } from './zone-at-five.ts'

const certificate = localCertificate()
const authority = join(mkdtempSync(join(tmpdir(), 'authority-')), 'ca.pem')
writeFileSync(authority, certificate.cert)

const startBalancer = () => startDirectBalancer(certificate)

const test = base.extend<{ balancer: DirectBalancer; channelId: number }>({
  balancer: async ({ installations }, use) => {
    // The load balancer runs until all pages are closed.
    const balancer = await installations.server(startBalancer)
    Object.assign(balancer, {
      allows: { '/': '*' },
      title: '',
      requests: [],
      bytesPerSecond: undefined,
      segmentBytes: 0,
    })
    await use(balancer)
  },
  channelId: async ({ balancer, panel, offer, subscribe, adminCaller }, use) => {
    panel.streams.modes.tokened = balancer.redirect
    delete panel.streams.modes['tokened.ts']
    const archive = { tv_archive: 1, tv_archive_duration: 2 }
    const [channelId] = await offer([{ stream_id: 'tokened.1', name: 'Harbor News', num: 12, ...archive }], {
      archiveHours: 48,
      listings: true,
    })
    const { version } = (await (await adminCaller.request.get(getDirect.path)).json()) as { version: number }
    await sendWrite(adminCaller, 'put', setDirect.path, { enabled: true, hosts: [balancer.host], version })
    await subscribe('line.1')
    await use(channelId!)
  },
})
test.use({ ignoreHTTPSErrors: true, environment: { JOURNEYS: 'watch-direct', NODE_EXTRA_CA_CERTS: authority } })

/** Returns the requests for segments that the browser sent to the load balancer. */
const segments = ({ requests }: DirectBalancer) =>
  requests.filter(({ path, agent }) => path.startsWith('/seg/') && agent.includes('Mozilla'))
/** Returns the viewing page of the program on Harbor News that began `hours` hours before the current one. */
const pastProgram = (channelId: number, zone: Zone, hours: number) =>
  `/watch/${channelId}?from=${encodeURIComponent(new Date(zone.startOfHour(-hours)).toISOString())}`
async function start(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await button(page, /^Play/).click()
  await expectPlaying(page)
}
/** Adds a one-hour recording to the load balancer. Returns its URL. */
function addRecording({ url, files }: DirectBalancer): string {
  const rows = Array.from({ length: 1_800 }, (_, n) => {
    files[`/seg/recorded/${n}.ts`] = bytes(segmentOf(n))
    return [...(n > 0 && n % 6 === 0 ? ['#EXT-X-DISCONTINUITY'] : []), '#EXTINF:2.0,', `/seg/recorded/${n}.ts`]
  })
  const head = ['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:2', '#EXT-X-PLAYLIST-TYPE:VOD']
  files['/recorded.m3u8'] = playlist(...head, ...rows.flat(), '#EXT-X-ENDLIST')
  return `${url}/recorded.m3u8`
}
const position = (page: Page) => player(page).getByRole('slider', { name: 'Position in the program' })
const atSecond = async (page: Page) => Number(await position(page).inputValue())
/** Returns an array to which the paths of the page's later stream requests to this site are added. */
function relayed(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/stream/')) paths.push(pathname)
  })
  return paths
}

test('a channel plays from the load balancer, then through this site when its token no longer works', async ({
  page,
  balancer,
  channelId,
  allowPageError,
}) => {
  const onSite = relayed(page)
  await start(page, `/watch/${channelId}`)
  await expectMoving(page)
  expect(segments(balancer).length).toBeGreaterThan(0)
  expect(onSite).toEqual([])

  allowPageError(/403/)
  balancer.forgetTokens()
  await expect.poll(() => onSite.length, { timeout: 30_000 }).toBeGreaterThan(1)
  await expectMoving(page)
  await expect(alert(page)).toHaveCount(0)
})

test('a channel continues through this site when the panel begins to write credentials into its playlists @proof', async ({
  page,
  balancer,
  channelId,
}) => {
  test.setTimeout(90_000)
  const onSite = relayed(page)
  await start(page, `/watch/${channelId}`)
  balancer.title = linePassword
  await expect.poll(() => onSite.length, { timeout: 30_000 }).toBeGreaterThan(1)
  const before = segments(balancer).length
  await expectMoving(page)
  await page.waitForTimeout(4_000)
  expect(segments(balancer).length).toBe(before)
  await expect(alert(page)).toHaveCount(0)
  // For ten minutes no channel is requested from the load balancer, not even the same one again.
  await page.getByRole('link', { name: 'Guide' }).first().click()
  await page.goBack()
  balancer.title = ''
  await expectMoving(page)
  expect(segments(balancer).length).toBe(before)
})

test('a recording plays from the load balancer, supports seeking, and continues at its position through this site @proof', async ({
  page,
  balancer,
  channelId,
  zone,
  panel,
  allowPageError,
}) => {
  panel.streams.modes['tokened.ts'] = redirect(addRecording(balancer))
  const onSite = relayed(page)
  await start(page, pastProgram(channelId, zone, 3))
  expect(segments(balancer).length).toBeGreaterThan(0)
  await page.keyboard.press('Shift')
  await position(page).fill('1800')
  await expect.poll(() => atSecond(page), often).toBeGreaterThan(1_800)
  await expectMoving(page)
  expect(onSite).toEqual([])

  allowPageError(/CORS|ERR_FAILED/)
  balancer.allows = { '/': undefined }
  await position(page).fill('2400')
  await expect.poll(() => onSite.length, { timeout: 30_000 }).toBeGreaterThan(1)
  await expect.poll(() => atSecond(page), often).toBeGreaterThan(2_400)
  expect(await atSecond(page)).toBeLessThan(2_460)
  await expectMoving(page)
  await expect(alert(page)).toHaveCount(0)
})

test('a recording that the panel has as a transport stream plays through this site, and Go live returns to the load balancer @proof', async ({
  page,
  balancer,
  channelId,
  zone,
  panel,
}) => {
  panel.streams.modes['tokened.ts'] = transport({ burst: 20 })
  const onSite = relayed(page)
  await start(page, pastProgram(channelId, zone, 3))
  expect(onSite.length).toBeGreaterThan(0)
  expect(segments(balancer)).toEqual([])
  await page.keyboard.press('Shift')
  await button(page, 'Go live').click()
  await expect.poll(() => segments(balancer).length, often).toBeGreaterThan(0)
  await expectMoving(page)
})

/** Runs the self-check of a channel and expects this verdict. */
async function expectVerdict(page: Page, channelId: number, verdict: string | RegExp): Promise<void> {
  await page.goto(`/check?channel=${channelId}`)
  await expect(page.getByRole('button', { name: 'Check Again' })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(verdict)
}

test('the self-check of a direct channel passes, also when only this site can load from the load balancer, and fails when the stream is missing @proof', async ({
  page,
  balancer,
  channelId,
  panel,
  allowPageError,
}) => {
  allowPageError(/CORS|ERR_FAILED|\/api\/plays|403/)
  // Another tab plays the channel from the load balancer and uses the only screen.
  await start(page, `/watch/${channelId}`)
  const tab = await page.context().newPage()
  await expectVerdict(tab, channelId, 'Everything works.')
  await tab.close()
  await expectVerdict(page, channelId, 'Everything works.')

  // The browser cannot load from the load balancer, so the channel plays through this site.
  balancer.allows = { '/': undefined }
  const onSite = relayed(page)
  await start(page, `/watch/${channelId}`)
  expect(onSite.length).toBeGreaterThan(0)
  await expectVerdict(page, channelId, 'Everything works.')

  // The load balancer no longer has the stream.
  balancer.files['/missing.m3u8'] = bytes('', 'text/html', 404)
  panel.streams.modes.tokened = redirect(`${balancer.url}/missing.m3u8`)
  await expectVerdict(page, channelId, /^It is us/)
})

test('the self-check blames a slow load balancer only while the connection of the viewer is fast, and the channel then plays through this site @proof', async ({
  page,
  balancer,
  channelId,
  signInAdmin,
}) => {
  test.setTimeout(120_000)
  balancer.segmentBytes = 500_000
  balancer.bytesPerSecond = 60_000
  const onSite = relayed(page)
  await page.goto(`/watch/${channelId}`)
  await button(page, /^Play/).click()
  await expect.poll(() => segments(balancer).length, often).toBeGreaterThan(0)
  const network = await page.context().newCDPSession(page)
  const limit = (downloadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, uploadThroughput: -1 },
      downloadThroughput,
    })
  await page.getByRole('link', { name: 'Is it me or you?' }).first().click()
  const verdict = page.getByRole('heading', { level: 2 }).first()
  const again = page.getByRole('button', { name: 'Check Again' })
  await expect(verdict).toHaveText('It is the streaming server.', { timeout: 15_000 })
  await expect(page.getByText(/sends 0\.[3-6] Mbps to this device\. Harbor News needs about 2\.4 Mbps\./)).toBeVisible()
  await expectAccessible(page)

  // Both connections are slow.
  await limit(60_000)
  await again.click()
  await expect(again).toBeVisible({ timeout: 15_000 })
  await expect(verdict).toHaveText('It is your network.')
  await limit(-1)

  await again.click()
  await expect(verdict).toHaveText('It is the streaming server.', { timeout: 15_000 })
  await page.getByRole('button', { name: 'Report It' }).click()
  await expect(page.getByText(/^0\.[3-6] Mbps to this device$/)).toBeVisible()
  await page.getByRole('button', { name: 'Send Report' }).click()
  await expect(page.getByRole('heading', { name: 'Report sent' })).toBeVisible()
  const admin = await signInAdmin()
  await admin.goto('/admin?tab=reports')
  await admin
    .getByRole('button', { name: /Update Status/ })
    .first()
    .click()
  const evidence = admin.getByRole('region', { name: 'Self-check' })
  await expect(evidence).toContainText(
    'The streaming host is slow for the viewer. The connection to this site is fast.',
  )
  await expect(evidence).toContainText(/0\.[3-6] Mbps from host 1 of direct delivery/)
  expect(await admin.content()).not.toContain(balancer.host)

  await again.click()
  await expect(verdict).toHaveText('It is the streaming server.', { timeout: 15_000 })
  expect(onSite.filter((path) => !path.startsWith('/stream/check/'))).toEqual([])
  const before = segments(balancer).length
  await page.getByRole('link', { name: 'Watch Now' }).click()
  await expectPlaying(page)
  await expectMoving(page)
  expect(segments(balancer).length).toBe(before)
  expect(onSite.filter((path) => !path.startsWith('/stream/check/')).length).toBeGreaterThan(0)
})

test('a play that another browser takes over stops loading from the panel @proof', async ({
  page,
  balancer,
  channelId,
  newPage,
  allowPageError,
}) => {
  allowPageError(/\/api\/plays|net::ERR_ABORTED/)
  await start(page, `/watch/${channelId}`)
  const other = await newPage()
  const { username } = (await (await page.request.get('/api/user')).json()) as { username: string }
  await sendWrite(other, 'post', '/api/login', { username, password: 'correct-horse-battery' })
  const [running] = (await (await other.request.get('/api/plays')).json()) as { id: string }[]
  await sendWrite(other, 'post', '/api/plays', { channelId, take: running!.id })
  await expect(alert(page)).toContainText(/Playback moved to/)
  const before = segments(balancer).length
  await page.waitForTimeout(5_000)
  expect(segments(balancer).length).toBe(before)
})

test('an administrator adds a host, tests a channel, and sees how plays are delivered @proof', async ({
  page,
  balancer,
  channelId,
  signInAdmin,
  allowPageError,
}) => {
  // The playing page logs errors when the load balancer no longer permits its segments.
  allowPageError(/\/seg\//)
  await start(page, `/watch/${channelId}`)

  const admin = await signInAdmin()
  await admin.goto('/admin/watching')
  const setting = admin.getByRole('region', { name: 'Direct delivery' })
  await expect(setting.getByText('Directly from the panel')).toBeVisible()
  await expect(admin.getByRole('table', { name: 'Watching now' })).toContainText('Directly from the panel')
  await setting.getByRole('button', { name: 'Add host' }).click()
  await setting.getByLabel('Host 2', { exact: true }).fill('https://edge.example/path')
  await setting.getByRole('button', { name: 'Save Changes' }).click()
  await expect(setting.getByLabel('Host 2', { exact: true })).toHaveValue('https://edge.example/path')
  await expect(setting.getByText('Please enter a host name').first()).toBeVisible()
  await expectAccessible(admin)
  await setting.getByLabel('Host 2', { exact: true }).fill('EDGE.example')
  await setting.getByRole('button', { name: 'Save Changes' }).click()
  await expect(setting.getByLabel('Host 2', { exact: true })).toHaveValue('edge.example')

  await setting.getByLabel('Channel', { exact: true }).selectOption('Harbor News')
  await setting.getByLabel('Username of the line').fill('line')
  await setting.getByLabel('Password of the line', { exact: true }).fill(linePassword)
  await setting.getByRole('button', { name: 'Test' }).click()
  await expect(setting.getByRole('status').filter({ hasText: 'Browsers may load' })).toHaveText(
    `Browsers may load Harbor News directly from ${balancer.host}.`,
  )
  balancer.allows = { '/': '*', '/seg/': undefined }
  await setting.getByRole('button', { name: 'Test' }).click()
  await expect(setting.getByRole('alert')).toContainText('does not permit pages of this site to read segments')
  // Scrolls up, because otherwise the bar at the top covers the buttons of the list.
  await admin.evaluate(() => scrollTo(0, 0))
  await expectAccessible(admin)
})
