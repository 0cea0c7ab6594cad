import type { Page } from '@playwright/test'
import { expect, expectAccessible } from '../test/harness/browser.ts'
import type { FakePanel } from '../test/harness/fake-panel.ts'
import { bytes, playlist, segmentOf } from '../test/harness/fake-streams.ts'
import { often } from './playback.ts'
import { player, seconds, test } from './watching.ts'

const videoPid = 0x100
/** Returns a segment of the test stream with its sound only. */
const soundOf = (n: number): Buffer => {
  const packets = Array.from({ length: segmentOf(n).length / 188 }, (_, at) =>
    segmentOf(n).subarray(at * 188, (at + 1) * 188),
  )
  return Buffer.concat(packets.filter((packet) => (packet.readUInt16BE(1) & 0x1fff) !== videoPid))
}
const loops = 10
/** Returns the lines of the playlist of a two-minute recording: the test stream ten times. */
const recording = (folder: string) => [
  ...['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:2', '#EXT-X-MEDIA-SEQUENCE:0'],
  ...Array.from({ length: loops * 6 }, (_, n) => [
    ...(n % 6 === 0 && n > 0 ? ['#EXT-X-DISCONTINUITY'] : []),
    '#EXTINF:2.0,',
    `/choices/${folder}/${n}.ts`,
  ]).flat(),
  '#EXT-X-ENDLIST',
]

/** Makes the panel serve a channel with two qualities, two audio languages and two subtitle languages. */
function offerChoices(panel: FakePanel): void {
  const { streams } = panel
  const at = (path: string) => `${streams.balancer}${path}`
  streams.modes.choices = playlist(
    '#EXTM3U',
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="One",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="${at('/choices/en.m3u8')}"`,
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="Two",LANGUAGE="de",CHANNELS="6",CHARACTERISTICS="public.accessibility.describes-video",URI="${at('/choices/de.m3u8')}"`,
    `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="English",LANGUAGE="en",URI="${at('/choices/text-en.m3u8')}"`,
    `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="Deutsch",LANGUAGE="de",URI="${at('/choices/text-de.m3u8')}"`,
    '#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.42c015,mp4a.40.2",AUDIO="sound",SUBTITLES="text"',
    at('/choices/low.m3u8'),
    '#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=640x360,CODECS="avc1.42c015,mp4a.40.2",AUDIO="sound",SUBTITLES="text"',
    at('/choices/high.m3u8'),
  )
  for (const folder of ['low', 'high', 'en', 'de']) {
    streams.files[`/choices/${folder}.m3u8`] = playlist(...recording(folder))
    for (let n = 0; n < loops * 6; n++)
      streams.files[`/choices/${folder}/${n}.ts`] = bytes(folder.length === 2 ? soundOf(n) : segmentOf(n))
  }
  for (const [language, text] of [
    ['en', 'Good evening'],
    ['de', 'Guten Abend'],
  ]) {
    const file = `/choices/text-${language}.vtt`
    streams.files[`/choices/text-${language}.m3u8`] = playlist(
      ...['#EXTM3U', '#EXT-X-TARGETDURATION:120', '#EXT-X-MEDIA-SEQUENCE:0', '#EXTINF:120,', file, '#EXT-X-ENDLIST'],
    )
    streams.files[file] = bytes(`WEBVTT\n\n00:00:00.000 --> 00:02:00.000\n${text}\n`, 'text/vtt')
  }
}

const cue = (page: Page) =>
  page.locator('video').evaluate((element: HTMLVideoElement) => {
    const shown = [...element.textTracks].filter(({ mode }) => mode === 'showing')
    return shown.flatMap(({ activeCues }) => [...(activeCues ?? [])].map((each) => (each as VTTCue).text))
  })

test('audio, subtitles and quality can be chosen in the player, change what is loaded, and are stored on this device', async ({
  page,
  panel,
  offer,
  subscribe,
}) => {
  offerChoices(panel)
  await offer([{ stream_id: 'choices.1', name: 'Harbor Choices' }])
  await subscribe()
  const requestsOf = (folder: string) =>
    panel.streams.requests.filter((path) => path.startsWith(`/choices/${folder}`)).length
  const expectPlaying = async () => {
    const before = await seconds(page)
    await expect.poll(() => seconds(page), often).toBeGreaterThan(before + 1)
  }

  await page.goto('/watch')
  await player(page).getByRole('button', { name: 'Play Harbor Choices' }).click()
  await expect.poll(() => seconds(page), often).toBeGreaterThan(0)
  expect([requestsOf('en/') > 0, requestsOf('de/')]).toEqual([true, 0])

  await player(page)
    .getByRole('button', { name: /^Audio/ })
    .press('Enter')
  await expectAccessible(page)
  await player(page)
    .getByRole('radio', { name: /^German/ })
    .check()
  await expect.poll(() => requestsOf('de/')).toBeGreaterThan(0)
  await page.keyboard.press('Escape')
  await expect(player(page).getByRole('button', { name: /^Audio/ })).toBeFocused()
  await expectPlaying()

  expect(await cue(page)).toEqual([])
  await player(page)
    .getByRole('button', { name: /^Subtitles/ })
    .press('Enter')
  await player(page)
    .getByRole('radio', { name: /^German/ })
    .check()
  await expect.poll(() => cue(page)).toEqual(['Guten Abend'])
  await player(page).getByRole('radio', { name: '150%' }).check()
  await player(page).getByRole('radio', { name: 'None' }).check()
  await expect(player(page)).toHaveAttribute('data-caption-background', 'none')
  await page.setViewportSize({ width: 390, height: 844 })
  // On a phone the menu covers the channels and the navigation.
  for (const choice of ['Dark', 'German'])
    await player(page).getByRole('radio', { name: choice }).last().click({ trial: true })
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  await expect.poll(() => cue(page)).toEqual([])
  await page.keyboard.press('c')

  await player(page)
    .getByRole('button', { name: /^Quality/ })
    .press('Enter')
  await player(page).getByRole('radio', { name: /^180p/ }).check()
  const high = requestsOf('high/')
  await expectPlaying()
  await player(page).getByRole('radio', { name: /^360p/ }).check()
  await expect.poll(() => requestsOf('high/'), often).toBeGreaterThan(high)
  await page.keyboard.press('Escape')
  await expectPlaying()

  await page.keyboard.press('m')
  await expect(player(page).getByRole('button', { name: 'Unmute' })).toBeVisible()

  // The choices are stored: the channel opens with them again.
  panel.streams.requests.length = 0
  await page.reload()
  await player(page).getByRole('button', { name: /^Play/ }).first().click()
  await expect.poll(() => requestsOf('de/'), often).toBeGreaterThan(0)
  await expectPlaying()
  await expect(player(page).getByRole('button', { name: 'Unmute' })).toBeVisible()
  await player(page)
    .getByRole('button', { name: /^Audio/ })
    .press('Enter')
  await expect(player(page).getByRole('radio', { name: /^German/ })).toBeChecked()
})
