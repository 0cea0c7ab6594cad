import { afterEach, expect, test, vi } from 'vitest'
import { workingBrowser, workingServer } from '../../../../test/harness/check-facts.ts'
import type { BrowserFacts, Cause, ServerFacts, Side } from '../contract.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

const browser: BrowserFacts = { ...workingBrowser, sample: null }
const server = (failingSince: string | null, workingSince?: string | null): ServerFacts => ({
  ...workingServer,
  others: { ...workingServer.others, failingSince },
  ...(workingSince !== undefined && { workingSince }),
  probe: { result: 'dead', detail: 'HTTP 503', ms: 40, kbps: null, codecs: null },
})

/** The text for a channel that is off the air, on November 23, 2026, at 8:37 PM in New York. */
async function offAir(facts: ServerFacts, zone = 'America/New_York'): Promise<string> {
  vi.stubEnv('TZ', zone)
  vi.useFakeTimers({ now: Date.parse('2026-11-24T01:37:00Z'), toFake: ['Date'] })
  vi.resetModules()
  const { verdictText } = await import('./check-texts.ts')
  return verdictText('off_air', 'channel', { channel: 'Harbor Drama', server: facts, browser }).lead
}
const [failed, taken] = ['2026-11-24T01:34:10.000Z', '2026-11-24T01:36:50.000Z']
const sentence = (text: string) => `Your side is fine. Harbor Drama ${text}. Nothing on your device needs to change.`

test.each([
  ['neither time', server(null, null), 'is not sending'],
  ['a stored result without `workingSince`', server(failed), 'stopped sending at 8:34 PM'],
  ['no team working on it', server(failed, null), 'stopped sending at 8:34 PM'],
  ['both times', server(failed, taken), 'stopped sending at 8:34 PM, and our team has been on it since 8:36 PM'],
  [
    'only the time at which the team began',
    server(null, taken),
    'is not sending, and our team has been on it since 8:36 PM',
  ],
  [
    'a team that began before the first recent failure',
    server(failed, '2026-11-24T00:05:00.000Z'),
    'is not sending, and our team has been on it since 7:05 PM',
  ],
  [
    'a team that began days ago',
    server(failed, '2026-11-21T17:05:00.000Z'),
    'is not sending, and our team has been on it since November 21 at 12:05 PM',
  ],
])('a channel that is off the air, with %s', async (_, facts, text) => {
  expect(await offAir(facts)).toBe(sentence(text))
})

test('the times are in the viewer’s time zone', async () => {
  expect(await offAir(server(failed, taken), 'Europe/Berlin')).toBe(
    sentence('stopped sending at 2:34 AM, and our team has been on it since 2:36 AM'),
  )
})

test('the announcement is the verdict and, for a channel that is off the air, when it stopped sending', async () => {
  await offAir(server(failed, taken))
  const { announcedVerdict, verdictText } = await import('./check-texts.ts')
  const announced = (cause: Cause, side: Side, facts: ServerFacts) =>
    announcedVerdict(verdictText(cause, side, { channel: 'Harbor Drama', server: facts, browser }))
  expect(announced('off_air', 'channel', server(failed, taken))).toBe(
    'It is us. Harbor Drama stopped sending at 8:34 PM.',
  )
  expect(announced('off_air', 'channel', server(null, taken))).toBe('It is us. Harbor Drama is not sending.')
  expect(announced('panel', 'us', server(null))).toBe('It is us. Sorry.')
  expect(announced('slow', 'you', server(null))).toBe('It is your network.')
})
