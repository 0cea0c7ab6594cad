import { expect, test } from 'vitest'
import { workingBrowser as good, workingServer as server } from '../../../test/harness/check-facts.ts'
import type { BrowserFacts, Cause } from './contract.ts'
import { evidenceRows, spanText } from './evidence-rules.ts'
import { determineVerdict } from './rules.ts'
import { rowsInOrder } from './web/check-rows.ts'
import { stepsFor, verdictText } from './web/check-texts.ts'

const slow = { bytes: 1_050_000, ms: 4_000, parts: 5, lateParts: 5 }
const drops = { shown: 880, dropped: 120 }
const blocked: BrowserFacts['events'][number] = { agoMs: 1_000, what: 'blocked', why: 'autoplay' }
const buffering = (why?: string): BrowserFacts['events'][number] => ({
  agoMs: 2_000,
  what: 'buffering',
  ...(why !== undefined && { why }),
})

test.each<[string, Partial<BrowserFacts>, Cause]>([
  ['streams that the browser blocks', { sample: null, blocked: true }, 'blocked'],
  ['a browser that waits for a click', { events: [blocked] }, 'autoplay'],
  ['a click after which the channel plays', { events: [blocked, { agoMs: 500, what: 'playing' }] }, 'works'],
  ['dropped frames', { frames: drops }, 'frames'],
  ['dropped frames on a slow connection', { frames: drops, sample: slow }, 'slow'],
  ['a tenth of the frames dropped', { frames: { shown: 900, dropped: 100 } }, 'works'],
  ['a video that played too briefly', { frames: null }, 'works'],
  ['interruptions while the page was hidden', { events: [buffering('hidden')] }, 'hidden'],
  [
    'an interruption while the page was visible, and a later one while it was hidden',
    { events: [buffering(), buffering('hidden')] },
    'works',
  ],
  ['a slow connection while the page was hidden', { hidden: true, sample: slow }, 'hidden'],
  ['a fast connection while the page was hidden', { hidden: true }, 'works'],
  ['a clock that is behind', { clockOffMs: -90_000 }, 'clock'],
  ['a clock that is nearly right', { clockOffMs: 60_000 }, 'works'],
  ['a wrong clock and dropped frames', { clockOffMs: -90_000, frames: drops }, 'frames'],
])('the cause for %s', (_, facts, cause) => {
  expect(determineVerdict(server, { ...good, ...facts }).cause).toBe(cause)
})

const lead = (cause: Cause, facts: Partial<BrowserFacts>) =>
  verdictText(cause, 'you', { channel: 'Harbor Drama', server, browser: { ...good, ...facts } }).lead

test('the texts contain what was measured, and each cause has something to try', () => {
  expect(lead('frames', { frames: drops })).toBe(
    'It dropped 12 % of the frames of Harbor Drama, so the picture stutters. Our side and your connection are fine.',
  )
  expect(lead('clock', { clockOffMs: -7_200_000 })).toBe(
    'The clock of this device is off by 2 hours, so the guide and recordings show wrong times. Everything else works.',
  )
  for (const cause of ['blocked', 'autoplay', 'frames', 'hidden', 'clock'] as const)
    expect(stepsFor(cause).length, cause).toBeGreaterThan(0)
})

test.each([
  [61_000, '61 seconds'],
  [119_999, '120 seconds'],
  [120_000, '2 minutes'],
  [7_200_000, '2 hours'],
  [172_800_000, '2 days'],
])('a span of %i ms is %s', (ms, text) => expect(spanText(ms)).toBe(text))

test('the device row and the evidence for administrators state each measurement of the browser', () => {
  const browser = { ...good, frames: drops, hidden: true, blocked: true, clockOffMs: 7_200_000, events: [blocked] }
  const verdict = determineVerdict(server, browser)
  const [device] = rowsInOrder({ server, browser, verdict, brand: 'Harbor', channel: 'Harbor Drama' })
  expect(device).toMatchObject({ state: 'bad', text: 'Something blocks the streams' })
  expect(device!.details).toEqual([
    ['Plays streams', 'Yes'],
    ['Decodes the channel', 'Yes'],
    ['Streams', 'Blocked in this browser'],
    ['Sound', 'Waits for a click or tap'],
    ['Dropped frames', '12 %'],
    ['Page', 'Hidden during the check'],
    ['Clock', 'Wrong by more than a minute'],
  ])
  const rows = new Map(evidenceRows({ device: 'Chrome on Windows', verdict, server, browser }))
  expect(rows.get('Device')).toBe(
    'Chrome on Windows, decodes the channel, 12 % of the frames dropped, streams blocked in the browser, page hidden during the check, clock off by 2 hours',
  )
  expect(rows.get('Player')).toBe('blocked (autoplay)')
})
