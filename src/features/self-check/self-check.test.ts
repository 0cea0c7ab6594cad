import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openIncident } from '#features/incidents/admin-contract.ts'
import { listPlays } from '#features/watch/contract.ts'
import { channels, plays, reportEvidence, reports, selfChecks } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { workingBrowser } from '../../../test/harness/check-facts.ts'
import { linePassword } from '../../../test/harness/fake-panel.ts'
import { bytes, playlist, segmentOf } from '../../../test/harness/fake-streams.ts'
import { type WatchWorld, watchWorld } from '../../../test/harness/watch-world.ts'
import { getReportEvidence } from './admin-contract.ts'
import { type BrowserFacts, reportCheck, runCheck } from './contract.ts'
import { removeOldChecks } from './server/run-check.ts'

let world: WatchWorld
let dark: number
let direct: number
const responses: string[] = []
beforeAll(async () => {
  world = await watchWorld()
  dark = await world.addChannel('dark')
  direct = await world.addChannel('direct')
  world.panel.streams.modes.dark = bytes('<html>secret of the panel</html>', 'text/html', 404)
})
afterAll(() => world.close())
afterEach(() => {
  const text = [...responses, ...world.app.logs].join('\n')
  for (const secret of [
    linePassword,
    encodeURIComponent(linePassword),
    new URL(world.panel.url).host,
    'line.',
    'secret of',
    '127.0.0.1',
  ])
    expect(text.replaceAll('"ip":"127.0.0.1"', ''), secret).not.toContain(secret)
})

const browser: BrowserFacts = {
  ...workingBrowser,
  events: [{ agoMs: 3_000, what: 'stopped', why: 'channel_down' }],
}

test('no report is sent for another customer’s check, an unknown check, a check without a channel, or measurements out of range', async () => {
  const [viewer, stranger] = [await world.signInViewer(), await world.signInViewer()]
  await expect(viewer.client.call(runCheck, { body: { channelId: 999_999 } })).rejects.toMatchObject({ status: 404 })
  const { id, facts } = await viewer.client.call(runCheck, { body: {} })
  expect(facts).toMatchObject({
    channelName: null,
    account: 'ok',
    line: { kind: 'ours', login: 'ok' },
    probe: { result: 'skipped' },
  })
  const send = (who: typeof viewer, checkId: string, facts: object = {}) =>
    who.client.post(`/api/self-check/${checkId}/report`, { browser: { ...browser, ...facts } })
  expect((await send(viewer, id)).status).toBe(409)
  expect((await send(stranger, id)).status).toBe(404)
  expect((await send(viewer, crypto.randomUUID())).status).toBe(404)
  for (const facts of [
    { lost: 6 },
    { delaysMs: [1, 2, 3, 4, 5, 6] },
    { events: [{ agoMs: 1, what: 'stopped', why: '<b>' }] },
  ])
    expect((await send(viewer, id, facts)).status).toBe(400)
  expect((await world.app.client().post('/api/self-check', {})).status).toBe(401)
  expect(await world.app.db.select().from(reports).where(eq(reports.userId, viewer.user.id))).toEqual([])
})

test('a check becomes one report with evidence for administrators; a second check within the hour is added to it', async () => {
  const viewer = await world.signInViewer()
  const check = await viewer.client.call(runCheck, { body: { channelId: dark } })
  expect(check.facts.probe).toMatchObject({ result: 'dead', detail: 'HTTP 404' })
  const body = { browser }
  const sent = await viewer.client.call(reportCheck, { params: { checkId: check.id }, body })
  expect(sent).toMatchObject({
    joined: false,
    report: { contentType: 'channel', issue: 'not_working', status: 'pending' },
  })
  expect(sent.report.description).toContain('The channel sends nothing. Connection: 48 Mbps')
  expect((await viewer.client.call(reportCheck, { params: { checkId: check.id }, body })).report.id).toBe(
    sent.report.id,
  )
  const again = await viewer.client.call(runCheck, { body: { channelId: dark } })
  expect(await viewer.client.call(reportCheck, { params: { checkId: again.id }, body })).toMatchObject({
    joined: true,
    report: { id: sent.report.id },
  })
  const params = { reportId: sent.report.id }
  const evidence = await world.admin.client.call(getReportEvidence, { params })
  expect(evidence).toMatchObject({
    // The customer sees the device name before sending the report.
    device: again.device,
    verdict: { side: 'channel', cause: 'off_air' },
    server: { at: again.facts.at },
    browser,
  })
  responses.push(JSON.stringify([check, again, sent, evidence]))
  const other = await world.signInViewer()
  const { facts } = await other.client.call(runCheck, { body: { channelId: dark } })
  expect(facts.others.reports).toBe(1)
  const plain = (await (
    await viewer.client.post('/api/reports', { contentType: 'movie', contentName: 'A', issue: 'other' })
  ).json()) as { id: number }
  expect(await world.admin.client.call(getReportEvidence, { params: { reportId: plain.id } })).toBeNull()
})

test('the result states when the team began to work on the channel, even at its maximum size; older evidence without that time is still shown', async () => {
  const [viewer, channelId] = [await world.signInViewer(20), await world.addChannel('dark')]
  const name = `${'"'.repeat(100)} Harbor Drama`
  await world.app.db.update(channels).set({ name }).where(eq(channels.id, channelId))
  const check = () => viewer.client.call(runCheck, { body: { channelId } })
  expect((await check()).facts.workingSince).toBeNull()
  const incident = { kind: 'problem' as const, title: 'No picture', text: 'We are looking into it.', categories: [] }
  await world.admin.client.call(openIncident, { body: { ...incident, channels: [name] } })
  expect((await viewer.client.call(runCheck, { body: {} })).facts.workingSince).toBeNull()

  const screens = Array.from({ length: 20 }, (_, n) => ({
    userId: viewer.user.id,
    sessionId: 7_000_000 + n,
    channelId,
  }))
  await world.app.db.insert(plays).values(screens.map((row) => ({ ...row, device: 'x'.repeat(120) })))
  const { id, facts } = await check()
  expect(Date.now() - Date.parse(facts.workingSince!)).toBeLessThan(60_000)
  expect(facts.screens).toMatchObject({ used: 20, devices: { length: 20 } })
  const events = Array.from({ length: 40 }, () => ({ agoMs: 59_999, what: 'buffering' as const, why: 'x'.repeat(20) }))
  const own = { frames: { shown: 1_000_000, dropped: 1_000_000 }, hidden: true, blocked: true }
  const body = { browser: { ...browser, ...own, events } }
  const { report } = await viewer.client.call(reportCheck, { params: { checkId: id }, body })
  const evidence = () => world.admin.client.call(getReportEvidence, { params: { reportId: report.id } })
  expect(await evidence()).toMatchObject({ server: { workingSince: facts.workingSince }, browser: { ...own, events } })
  await world.app.db
    .update(reportEvidence)
    .set({ evidence: sql`${reportEvidence.evidence} #- '{server,workingSince}'` })
    .where(eq(reportEvidence.reportId, report.id))
  const { workingSince: _, ...earlier } = facts
  expect((await evidence())?.server).toEqual(earlier)
})

test('the channel is read only while a screen is free, without starting a play, and the connection is closed', async () => {
  const viewer = await world.signInViewer()
  const { facts } = await viewer.client.call(runCheck, { body: { channelId: direct } })
  expect(facts.probe).toMatchObject({ result: 'alive', codecs: null })
  expect(await viewer.client.call(listPlays, {})).toEqual([])
  await expect.poll(() => world.panel.streams.open()).toBe(0)
  await world.play(viewer, direct)
  const before = world.panel.streams.requests.length
  const watching = await viewer.client.call(runCheck, { body: { channelId: direct } })
  expect(watching.facts).toMatchObject({ probe: { result: 'skipped' }, screens: { used: 1, all: 1, playsHere: true } })
  expect(world.panel.streams.requests).toHaveLength(before)
  await world.app.db
    .update(plays)
    .set({ endedAt: sql`now()` as never, why: 'closed' })
    .where(eq(plays.userId, viewer.user.id))
})

test('the bit rate comes from the variants, or else from the length of a segment; an encrypted channel is alive', async () => {
  const { modes, files, balancer } = world.panel.streams
  const sized = Buffer.concat([segmentOf(0), Buffer.alloc(500_000 - segmentOf(0).length)])
  files['/sized.ts'] = (response) =>
    response.writeHead(200, { 'content-type': 'video/mp2t', 'content-length': String(sized.length) }).end(sized)
  files['/low.m3u8'] = playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXTINF:2,', '/sized.ts')
  files['/key'] = bytes('0123456789abcdef')
  modes.sized = (...call) =>
    playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXTINF:2,', `${balancer}/sized.ts`)(...call)
  modes.master = (...call) =>
    playlist(
      '#EXTM3U',
      '#EXT-X-STREAM-INF:BANDWIDTH=9000000,CODECS="avc1.640028,ac-3"',
      `${balancer}/high.m3u8`,
      '#EXT-X-STREAM-INF:BANDWIDTH=1500000,CODECS="avc1.4d401e,mp4a.40.2"',
      `${balancer}/low.m3u8`,
    )(...call)
  modes.cipher = (...call) =>
    playlist('#EXTM3U', `#EXT-X-KEY:METHOD=AES-128,URI="${balancer}/key"`, '#EXTINF:2,', `${balancer}/key`)(...call)
  for (const [stream, probe] of [
    ['sized', { result: 'alive', kbps: 2_000, codecs: null }],
    ['master', { result: 'alive', kbps: 1_500, codecs: 'avc1.4d401e,mp4a.40.2' }],
    ['cipher', { result: 'alive', kbps: null }],
  ] as const) {
    const channelId = await world.addChannel(stream)
    const { facts } = await (await world.signInViewer()).client.call(runCheck, { body: { channelId } })
    expect(facts.probe).toMatchObject(probe)
  }
})

test('the sample can be loaded twice within a minute, and only by our own pages; old checks are deleted', async () => {
  const viewer = await world.signInViewer()
  const { id, sample } = await viewer.client.call(runCheck, { body: {} })
  const load = (path: string, headers = {}) => world.app.client().request(path, { headers })
  expect((await load(sample, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const response = await load(sample)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect((await response.arrayBuffer()).byteLength).toBe(limits.selfCheck.sampleBytes)
  expect((await load(sample)).status).toBe(200)
  expect((await load(sample)).status).toBe(404)
  expect((await load('/stream/check/x')).status).toBe(404)
  const next = await viewer.client.call(runCheck, { body: {} })
  await world.app.db
    .update(selfChecks)
    .set({ createdAt: sql`now() - interval '61 seconds'` as never })
    .where(eq(selfChecks.id, next.id))
  expect((await load(next.sample)).status).toBe(404)
  await world.app.db
    .update(selfChecks)
    .set({ createdAt: sql`now() - interval '31 days'` as never })
    .where(eq(selfChecks.id, id))
  expect(await removeOldChecks(world.app.db)).toBe(1)
})
