import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { getDirect, setDirect } from '#features/watch/admin-direct-contract.ts'
import { selfChecks } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import type { SignedIn } from '../../../test/harness/app.ts'
import { trustCertificate } from '../../../test/harness/certificate.ts'
import { workingBrowser } from '../../../test/harness/check-facts.ts'
import { type DirectBalancer, startDirectBalancer } from '../../../test/harness/direct-balancer.ts'
import { linePassword } from '../../../test/harness/fake-panel.ts'
import { bytes, playlist, redirect, segmentOf } from '../../../test/harness/fake-streams.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { getReportEvidence } from './admin-contract.ts'
import { type BrowserFacts, type CheckResult, reportCheck, runCheck } from './contract.ts'

const { direct: terms } = limits.relay
const { checkedMs } = terms
let world: WatchWorld
let balancer: DirectBalancer
let stopTrusting: () => void
let channelId: number

beforeAll(async () => {
  balancer = await startDirectBalancer()
  stopTrusting = trustCertificate(balancer.cert)
  world = await watchWorld()
  world.panel.streams.modes.tokened = balancer.redirect
  channelId = await world.addChannel('tokened')
  terms.checkedMs = 0
})
afterAll(async () => {
  terms.checkedMs = checkedMs
  await world.close()
  await balancer.close()
  stopTrusting()
})
beforeEach(async () => {
  Object.assign(balancer, { allows: { '/': '*' }, title: '', segmentBytes: 500_000 })
  await save()
})

async function save(enabled = true, hosts = ['edge.example', balancer.host]): Promise<void> {
  const { version } = await world.admin.client.call(getDirect, {})
  await world.admin.client.call(setDirect, { body: { enabled, hosts, version } })
}
const check = ({ client }: SignedIn, id = channelId) => client.call(runCheck, { body: { channelId: id } })
const loadScript = ({ client }: SignedIn, { id }: Pick<CheckResult, 'id'>) =>
  client.request(`/direct/check/${id}/loader.js`)

test.each<[string, () => unknown]>([
  ['direct delivery is off', () => save(false)],
  ['the host is not in the list', () => save(true, ['edge.example'])],
  [
    'the host does not permit pages of this site to read segments',
    () => Object.assign(balancer, { allows: { '/': '*', '/seg/': undefined } }),
  ],
  ['the playlist contains the password of the line', () => Object.assign(balancer, { title: linePassword })],
])('a page cannot measure a streaming host if %s', async (_, change) => {
  await change()
  const viewer = await world.signInViewer()
  const result = await check(viewer)
  expect(result).toMatchObject({ direct: null, facts: { directHost: null, probe: { result: 'alive' } } })
  expect((await loadScript(viewer, result)).status).toBe(404)
})

test('a page cannot measure a streaming host without HTTPS, without a free screen or without a channel', async () => {
  const plain = await world.addChannel('news')
  expect(await check(await world.signInViewer(), plain)).toMatchObject({ direct: null, facts: { directHost: null } })
  const viewer = await world.signInViewer()
  await world.play(viewer, channelId)
  expect(await check(viewer)).toMatchObject({ direct: null, facts: { directHost: null, probe: { result: 'skipped' } } })
  const { direct } = await viewer.client.call(runCheck, { body: {} })
  expect(direct).toBeNull()
})

test('while direct delivery is off, the panel gets no Origin header', async () => {
  await save(false)
  const before = balancer.requests.length
  await check(await world.signInViewer())
  expect(new Set(balancer.requests.slice(before).map(({ origin }) => origin))).toEqual(new Set([undefined]))
})

test('a page gets up to three segments and a script that may load from their host only, for a minute', async () => {
  const viewer = await world.signInViewer()
  const result = await check(viewer)
  const { direct, facts } = result
  expect(facts).toMatchObject({ directHost: 2, probe: { result: 'alive', kbps: 2_000 } })
  expect(direct?.segments).toHaveLength(3)
  for (const segment of direct!.segments)
    expect(segment).toMatch(new RegExp(`^${balancer.url}/seg/[0-9a-f]{16}/\\d+.ts$`))
  const script = await loadScript(viewer, result)
  expect(Object.fromEntries(script.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy': `default-src 'none'; connect-src ${balancer.url}`,
    'cross-origin-embedder-policy': 'require-corp',
    'cache-control': 'no-store',
  })
  expect(await script.text()).not.toContain(balancer.host)
  expect((await loadScript(viewer, { id: crypto.randomUUID() })).status).toBe(404)
  expect((await loadScript(viewer, { id: 'x' })).status).toBe(404)
  await save(true, ['edge.example'])
  expect((await loadScript(viewer, result)).status).toBe(404)
  await save()
  await world.app.db
    .update(selfChecks)
    .set({ createdAt: sql`now() - interval '61 seconds'` as never })
    .where(eq(selfChecks.id, result.id))
  expect((await loadScript(viewer, result)).status).toBe(404)
})

const browser: BrowserFacts = {
  ...workingBrowser,
  host: { bytes: 200_000, ms: 3_000, after: workingBrowser.sample },
}

test('a report names the host by its position in the list; neither the report nor the stored and logged data contain the host name, the token or the line', async () => {
  const viewer = await world.signInViewer()
  const { id, facts, direct } = await check(viewer)
  const { report } = await viewer.client.call(reportCheck, { params: { checkId: id }, body: { browser } })
  expect(report).toMatchObject({ issue: 'buffering', description: expect.stringContaining('Streaming host: 0.5 Mbps') })
  const evidence = await world.admin.client.call(getReportEvidence, { params: { reportId: report.id } })
  expect(evidence).toMatchObject({
    verdict: { side: 'between', cause: 'slow_host' },
    server: { directHost: 2 },
    browser: { host: browser.host },
  })
  const stored = await world.app.db.select().from(selfChecks).where(eq(selfChecks.id, id))
  const text = JSON.stringify([report, evidence, stored, facts, world.app.logs]).replaceAll(
    '\\"ip\\":\\"127.0.0.1\\"',
    '',
  )
  const token = direct!.segments[0]!.split('/').at(-2)!
  for (const secret of [balancer.host, '127.0.0.1', token, linePassword, encodeURIComponent(linePassword), 'line.'])
    expect(text, secret).not.toContain(secret)
  expect(JSON.stringify(direct)).not.toContain(encodeURIComponent(linePassword))
})

test('measurements of a host that the server did not offer change nothing, and those out of range are refused', async () => {
  await save(false)
  const viewer = await world.signInViewer()
  const { id } = await check(viewer)
  for (const host of [{ ...browser.host!, bytes: 9_000_000 }, { ...browser.host!, ms: -1 }, { bytes: 1 }])
    expect(
      (await viewer.client.post(`/api/self-check/${id}/report`, { browser: { ...browser, host } as never })).status,
    ).toBe(400)
  const { report } = await viewer.client.call(reportCheck, { params: { checkId: id }, body: { browser } })
  expect(await world.admin.client.call(getReportEvidence, { params: { reportId: report.id } })).toMatchObject({
    verdict: { side: 'fine', cause: 'works' },
  })
})

test('a channel whose playlist redirects to a private network is not offered', async () => {
  world.panel.streams.modes.private = redirect('https://10.0.0.1/x.m3u8')
  const id = await world.addChannel('private')
  expect(await check(await world.signInViewer(), id)).toMatchObject({ direct: null, facts: { directHost: null } })
})

test('a host that a check did not wait for can be used by the next check and by players', async () => {
  const { selfCheck } = limits
  const { probeMs } = selfCheck
  // The host answers the request for the segment, and not the second one, which has the origin of a page.
  let isSilent = true
  balancer.files['/late.m3u8'] = playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXTINF:2,', '/late.ts')
  balancer.files['/late.ts'] = (response, request) =>
    isSilent && request.headers.origin ? undefined : bytes(segmentOf(0))(response, request)
  world.panel.streams.modes.late = redirect(`${balancer.url}/late.m3u8`)
  const id = await world.addChannel('late')
  const viewer = await world.signInViewer()
  Object.assign(terms, { checkedMs })
  try {
    Object.assign(selfCheck, { probeMs: 1_000 })
    expect(await check(viewer, id)).toMatchObject({ direct: null, facts: { probe: { result: 'alive' } } })
    Object.assign(selfCheck, { probeMs })
    isSilent = false
    expect((await check(viewer, id)).direct?.segments).toEqual([`${balancer.url}/late.ts`])
  } finally {
    Object.assign(selfCheck, { probeMs })
    Object.assign(terms, { checkedMs: 0 })
  }
})
