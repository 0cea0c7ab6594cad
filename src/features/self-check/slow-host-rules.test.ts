import { expect, test } from 'vitest'
import { workingBrowser, workingServer } from '../../../test/harness/check-facts.ts'
import type { BrowserFacts, Cause, ServerFacts } from './contract.ts'
import { evidenceRows, summaryOf } from './evidence-rules.ts'
import { determineVerdict, issueOf } from './rules.ts'
import { checkRows } from './web/check-rows.ts'
import { announcedVerdict, stepsFor, verdictText } from './web/check-texts.ts'

const server: ServerFacts = { ...workingServer, directHost: 2 }
/** A sample that was loaded at this speed, in kilobits per second. */
const sampleAt = (kbps: number) => ({ bytes: kbps * 125, ms: 1_000, parts: 20, lateParts: 0 })
const fast = sampleAt(48_000)
/** Measurements of a streaming host that sent at this speed for three seconds. `after`: the sample that was loaded directly afterwards. */
const hostAt = (kbps: number, after: BrowserFacts['sample'] = fast): BrowserFacts['host'] => ({
  bytes: kbps * 375,
  ms: 3_000,
  after,
})
const good: BrowserFacts = { ...workingBrowser, sample: fast, host: hostAt(1_200) }

test.each<[string, Partial<BrowserFacts>, Partial<ServerFacts>, Cause]>([
  ['this site is equally slow', { sample: sampleAt(1_300), host: hostAt(1_200, sampleAt(1_300)) }, {}, 'slow'],
  ['this site is slow and was not measured again', { sample: sampleAt(1_300), host: hostAt(1_200, null) }, {}, 'slow'],
  ['this site is slow directly afterwards', { host: hostAt(1_200, sampleAt(1_300)) }, {}, 'unstable'],
  [
    'this site is slow directly afterwards, while it is busy',
    { host: hostAt(1_200, sampleAt(1_300)) },
    { relay: 'busy' },
    'not_seen',
  ],
  ['this site was not measured again', { host: hostAt(1_200, null) }, {}, 'not_seen'],
  ['this site was not measured before', { sample: null }, {}, 'not_seen'],
  ['this site is busy and was slow before', { sample: sampleAt(3_000) }, { relay: 'busy' }, 'not_seen'],
  ['this site is hardly faster', { sample: sampleAt(7_000), host: hostAt(4_900, fast) }, {}, 'not_seen'],
  ['the connection loses requests', { lost: 3 }, {}, 'unstable'],
  ['the page was hidden', { hidden: true }, {}, 'hidden'],
  ['the bit rate of the channel is unknown', {}, { probe: { ...server.probe, kbps: null } }, 'works'],
  ['the channel plays through this site', {}, { directHost: null }, 'works'],
  ['the server did not report a streaming host', {}, { directHost: undefined }, 'works'],
  ['it was measured too briefly', { host: { bytes: 9_000, ms: 400, after: fast } }, {}, 'works'],
  ['it was not measured', { host: null }, {}, 'works'],
  ['it sends at least the bit rate of the channel', { host: hostAt(5_000) }, {}, 'works'],
  ['the channel is off the air', {}, { probe: { ...server.probe, result: 'dead' } }, 'off_air'],
  ['the browser lacks the codec', { decodes: false }, {}, 'codec'],
  ['the subscription has ended', {}, { account: 'expired' }, 'expired'],
])('a streaming host is not blamed if %s', (_, facts, found, cause) => {
  expect(determineVerdict({ ...server, ...found }, { ...good, ...facts }).cause).toBe(cause)
})

test.each<[string, Partial<BrowserFacts>]>([
  ['sends less than the bit rate', {}],
  ['stops after a few bytes', { host: { bytes: 9_000, ms: 3_000, after: fast } }],
  ['sends nothing after its first answer', { host: { bytes: 0, ms: 3_000, after: fast } }],
  ['is slow while the picture stutters', { frames: { shown: 700, dropped: 300 } }],
])('a streaming host is blamed if this site is fast before and afterwards and the host %s', (_, facts) => {
  expect(determineVerdict(server, { ...good, ...facts })).toEqual({ side: 'between', cause: 'slow_host' })
})

test('the texts mention the streaming host, both speeds and what helps, without a URL', () => {
  const verdict = determineVerdict(server, good)
  const text = verdictText(verdict.cause, verdict.side, { channel: 'Harbor Drama', server, browser: good })
  expect(announcedVerdict(text)).toBe('It is the streaming server.')
  expect(text.lead).toBe(
    'The streaming server sends 1.2 Mbps to this device. Harbor Drama needs about 6.0 Mbps. Your connection is fine: our site sends 48 Mbps.',
  )
  expect(stepsFor('slow_host')[0]!.title).toBe('Watch through our site')
  expect(issueOf(verdict)).toBe('buffering')
  expect(summaryOf(verdict, server, good)).toBe(
    'Self-check: The streaming host is slow for the viewer. The connection to this site is fast. Connection: 48 Mbps of 6.0 Mbps needed, 19 ms. Streaming host: 1.2 Mbps.',
  )
  const rows = new Map(evidenceRows({ device: 'Chrome on Windows', verdict, server, browser: good }))
  expect(rows.get('Verdict')).toBe(
    'Between the viewer and the streaming host: The streaming host is slow for the viewer. The connection to this site is fast.',
  )
  expect(rows.get('Streaming host')).toBe(
    '1.2 Mbps from host 2 of direct delivery, this site 48 Mbps directly afterwards',
  )
  const [site] = checkRows({ server, browser: good, verdict, brand: 'Harbor', channel: 'Harbor Drama' })
  expect(site).toMatchObject({ id: 'site', state: 'warn', text: 'The streaming server is slow' })
  expect(site!.details).toContainEqual(['Streaming server to this device', '1.2 Mbps'])
  const { host: _, ...unmeasured } = good
  expect(evidenceRows({ device: '', verdict, server, browser: unmeasured }).map(([label]) => label)).not.toContain(
    'Streaming host',
  )
})
