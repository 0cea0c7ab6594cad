import { afterEach, expect, test, vi } from 'vitest'
import type { StopReason } from './use-play.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

/** Imports the texts with the clock at 8:37 PM on November 23, 2026, in New York. */
async function texts(zone = 'America/New_York'): Promise<typeof import('./stop-texts.ts')> {
  vi.stubEnv('TZ', zone)
  vi.useFakeTimers({ now: Date.parse('2026-11-24T01:37:00Z'), toFake: ['Date'] })
  vi.resetModules()
  return import('./stop-texts.ts')
}
type Facts = { takenBy?: string | null; at?: number; screens?: number }
const stopped = async (reason: StopReason, { takenBy = null, at, screens = 3 }: Facts = {}) =>
  (await texts()).stopText(reason, {
    channel: 'Harbor Drama',
    takenBy,
    at,
    missingCodec: undefined,
    screens,
    endedAt: null,
    unattendedHours: 4,
  })

test('a device that lost its screen while it had no connection shows which device got the screen', async () => {
  const lost = {
    title: 'Playback moved to Living room',
    text: 'This screen lost its connection for a while, so Living room got its place. Your plan plays on 3 screens at once.',
    actions: ['retry', 'screens'],
  }
  expect(await stopped('closed', { takenBy: 'Living room' })).toEqual(lost)
  expect((await stopped('closed', { takenBy: 'Living room', screens: 1 })).text).toContain(
    'plays on one screen at once.',
  )
})

test('if playback was stopped without another device, the message names no device', async () => {
  expect(await stopped('closed')).toEqual({
    title: 'Playback was stopped',
    text: 'Press Try Again to continue.',
    actions: ['retry'],
  })
})

test('after a takeover, the message names the other device if it is known, and the time if something had played', async () => {
  const at = Date.parse('2026-11-24T01:31:00Z')
  expect(await stopped('taken', { takenBy: 'Living room', at })).toEqual({
    title: 'Playback moved to Living room',
    text: 'Someone chose “Use It Here” there at 8:31 PM. It stopped here because your plan plays on 3 screens at once.',
    actions: ['retry', 'screens'],
  })
  expect(await stopped('taken')).toMatchObject({
    title: 'Playback moved to another device',
    text: expect.stringMatching(/^Someone chose “Use It Here” there\. /),
  })
})

test('a tab whose play was taken over by another tab does not retry automatically', async () => {
  expect(await stopped('other_tab')).toEqual({
    title: 'Playback moved to another tab',
    text: 'This browser plays on one screen at a time, so it stopped here.',
    actions: ['here'],
  })
})

test('the message says that the sleep timer stopped playback, and one press continues it', async () => {
  expect(await stopped('sleep')).toEqual({
    title: 'The sleep timer stopped playback',
    text: 'Your screen is free for another device. Press Continue to keep watching.',
    actions: ['continue'],
  })
})

test('after a screen was given back, one press continues, and there are no automatic retries', async () => {
  expect(await stopped('idle')).toEqual({
    title: 'Paused for a while',
    text: 'Your screen is free for another device. Press Continue to keep watching.',
    actions: ['continue'],
  })
  expect(await stopped('unattended')).toEqual({
    title: 'Are you still there?',
    text: 'Nothing was pressed for 4 hours, so playback stopped and your screen is free.',
    actions: ['continue'],
  })
})

test('the message names the hours without input that the administrators chose', async () => {
  const { stopText } = await texts()
  const text = (unattendedHours: number) =>
    stopText('unattended', {
      ...{ channel: 'Harbor Drama', takenBy: null, missingCodec: undefined, screens: 3, endedAt: null },
      unattendedHours,
    }).text
  expect(text(1)).toBe('Nothing was pressed for an hour, so playback stopped and your screen is free.')
  expect(text(24)).toBe('Nothing was pressed for 24 hours, so playback stopped and your screen is free.')
})

test('a full relay and a panel that is down are retried automatically, but only a full relay is reported as too many viewers', async () => {
  const retried = { retries: true, actions: [] }
  expect(await stopped('relay_full')).toEqual({
    title: 'All places are taken for the moment',
    text: 'Too many viewers are watching right now. We try again every 15 seconds.',
    ...retried,
  })
  expect(await stopped('panel_down')).toMatchObject({ title: 'We cannot start the channel right now', ...retried })
})

test('a format that this browser does not support is named, with the browsers that support it', async () => {
  const { stopText } = await texts()
  const text = (missingCodec: string | undefined) =>
    stopText('codec', {
      channel: 'Harbor Drama',
      takenBy: null,
      missingCodec,
      screens: 3,
      endedAt: null,
      unattendedHours: 4,
    }).text
  const app = 'The app on your TV or phone plays it as it is.'
  expect(text('HEVC video')).toBe(
    `The channel sends HEVC video. Browsers play it only on devices that can decode it. ${app}`,
  )
  expect(text('Dolby Digital sound')).toBe(
    `The channel sends Dolby Digital sound. Edge on Windows and Safari play it. ${app}`,
  )
  expect(text('MPEG-2 video')).toBe(`The channel sends MPEG-2 video. No browser plays it. ${app}`)
  expect(text(undefined)).toBe('The app on your TV or phone may play it.')
})

test.each([
  [1, 'Add a Second Screen'],
  [3, 'Add a Fourth Screen'],
  [9, 'Add a Screen'],
])('with a plan for %i screens, the link offers one more', async (screens, text) => {
  expect((await texts()).addScreenText(screens)).toBe(text)
})

test.each([
  [5_800_000, 1080, 'This channel needs about 5.8 for full HD.'],
  [3_000_000, 720, 'This channel needs about 3.0 for HD.'],
  [16_000_000, 2160, 'This channel needs about 16.0 for 4K.'],
  [800_000, 360, 'This channel needs about 0.8 Mbps.'],
])('the text for %i bits per second at a height of %i pixels', async (bitrate, height, text) => {
  expect((await texts()).neededText({ bitrate, height })).toBe(text)
})

const others = [
  [0, ''],
  [1, 'Another viewer has reported this.'],
  [2, '2 other viewers have reported this.'],
  [14, '14 other viewers have reported this.'],
] as const
const team = [
  [null, ''],
  ['2026-11-24T01:36:30.000Z', 'Our team has been on it since 8:36 PM.'],
  ['2026-11-23T01:38:00.000Z', 'Our team has been on it since 8:38 PM.'],
  ['2026-11-23T01:36:00.000Z', 'Our team has been on it since November 22 at 8:36 PM.'],
] as const
test.each(
  others.flatMap(([count, reported]) =>
    team.map(
      ([workingSince, working]) => [count, workingSince, [reported, working].filter(Boolean).join(' ')] as const,
    ),
  ),
)('the text for %i other reports and a team that began to work at %s', async (count, workingSince, text) => {
  const { reportersText } = await texts()
  expect(reportersText({ count, workingSince })).toBe(text)
})

test('the time when the team began to work is shown in the time zone of the viewer', async () => {
  const { reportersText } = await texts('Europe/Berlin')
  expect(reportersText({ count: 0, workingSince: '2026-11-24T01:36:30.000Z' })).toBe(
    'Our team has been on it since 2:36 AM.',
  )
})
