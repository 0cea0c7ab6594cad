import { expect } from '../test/harness/browser.ts'
import { linePassword } from '../test/harness/fake-panel.ts'
import { liveWindow, playlist } from '../test/harness/fake-streams.ts'
import { button, expectPlaying, player, test } from './watching.ts'

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('a tap on the picture shows the controls for four seconds, and a second tap hides them', async ({
    page,
    panel,
    offer,
    subscribe,
  }) => {
    const { streams } = panel
    const variants = ['320x180', '640x360']
    streams.modes.sizes = playlist(
      '#EXTM3U',
      ...variants.flatMap((size) => [
        `#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=${size},CODECS="avc1.42c015,mp4a.40.2"`,
        `${streams.balancer}/${size}.m3u8`,
      ]),
    )
    for (const size of variants)
      streams.files[`/${size}.m3u8`] = (response, request) =>
        playlist(...liveWindow(`/hls/unsaid.1/${encodeURIComponent(linePassword)}`))(response, request)
    const [id] = await offer([{ stream_id: 'sizes.1', name: 'Quay News' }])
    await subscribe()
    await page.clock.install()
    await page.goto(`/watch/${id}`)
    await button(page, /^Play/).tap()
    await expectPlaying(page)
    const expectShown = () => expect(player(page)).not.toHaveAttribute('data-idle')
    const expectHidden = () => expect(player(page)).toHaveAttribute('data-idle')
    const pictureAt = { x: 40, y: 85 }
    const tap = () => page.locator('video').tap({ position: pictureAt })
    await expectHidden()
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    await tap()
    await expectShown()
    await page.clock.runFor(3_500)
    await expectShown()
    await page.clock.runFor(1_000)
    await expectHidden()
    await tap()
    await expectShown()
    await tap()
    await expectHidden()
    expect(await page.locator('video').evaluate((element: HTMLVideoElement) => element.paused)).toBe(false)

    // The controls stay while a menu is open, and the tap that closes the menu does not hide them.
    await tap()
    await button(page, 'Quality').tap()
    await page.clock.runFor(5_000)
    await expectShown()
    await tap()
    await expect(player(page).getByRole('radio')).toHaveCount(0)
    await expectShown()
    const guide = page.getByRole('region', { name: 'Guide', exact: true })
    await button(page, 'Guide').tap()
    await expect(guide).toBeVisible()
    await page.clock.runFor(5_000)
    await button(page, 'Close the guide').tap()
    await expect(guide).toHaveCount(0)
    await expectShown()
    await tap()
    await expectHidden()

    // After a mouse movement the controls stay for three seconds. They also stay while one of them has the keyboard focus.
    await page.locator('video').hover({ position: pictureAt })
    await expectShown()
    await page.clock.runFor(3_500)
    await expectHidden()
    await page.keyboard.press('Shift')
    await button(page, 'Guide').press('Enter')
    await page.clock.runFor(5_000)
    await page.keyboard.press('Escape')
    await expect(button(page, 'Guide')).toBeFocused()
    await page.clock.runFor(5_000)
    await expectShown()
  })
})
