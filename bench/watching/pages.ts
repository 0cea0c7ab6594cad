import { createServer } from 'node:net'
import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumArguments, chromiumArgumentsLeftOut, findChromium } from '../../test/harness/chromium.ts'
import type { HttpUser } from '../../test/harness/http-user.ts'
import { type Installation, panelRoundTripMs } from './installation.ts'
import { percentile } from './viewing.ts'
import type { AddRow } from './work.ts'

const starts = Number(process.env.BENCH_STARTS ?? 20)
/** How long each channel is watched before the next one is selected. */
const watchedMs = 1_500

/** Measures in Chromium how long it takes until the first picture is shown, and until the self-check shows its verdict. */
export async function measurePages({ app, farViewers, channels, panel }: Installation, addRow: AddRow) {
  const executablePath = findChromium()
  if (!executablePath)
    return console.log('Chromium is not installed: first pictures and the self-check are not measured')
  const options = { executablePath, args: chromiumArguments, ignoreDefaultArgs: chromiumArgumentsLeftOut }
  const browser = await chromium.launch(options)
  try {
    const first: number[] = []
    const zaps: number[] = []
    const page = await signedIn(browser, app.url, farViewers[0]!)
    for (let n = 0; n < starts; n++) {
      await page.goto(`${app.url}/watch/${n % 2 ? channels.news : channels.direct}`, { waitUntil: 'networkidle' })
      first.push(await untilPicture(page, 'click'))
      await page.waitForTimeout(watchedMs)
      zaps.push(await untilPicture(page, n % 2 ? 'PageDown' : 'PageUp'))
    }
    await page.close()
    const panelAway = `panel ${panelRoundTripMs} ms away`
    addRow({ what: `first picture, ${panelAway}, p50`, value: percentile(first, 0.5), unit: 'ms', max: 1_000 })
    addRow({ what: `first picture, ${panelAway}, p95`, value: percentile(first, 0.95), unit: 'ms', max: 2_000 })
    addRow({ what: `channel change, ${panelAway}, p50`, value: percentile(zaps, 0.5), unit: 'ms' })
    addRow({ what: `channel change, ${panelAway}, p95`, value: percentile(zaps, 0.95), unit: 'ms', max: 2_000 })
    addRow({
      what: 'self-check, channel off the air',
      value: await untilVerdict(browser, app.url, farViewers[1]!, channels.dark),
      unit: 's',
      max: 12,
    })
    // From here on, every call to the panel times out.
    await panel.stop()
    const silent = createServer(() => undefined).listen(Number(new URL(panel.url).port), '127.0.0.1')
    addRow({
      what: 'self-check, panel that never answers',
      value: await untilVerdict(browser, app.url, farViewers[2]!, channels.near),
      unit: 's',
      max: 12,
    })
    silent.close()
  } finally {
    await browser.close()
  }
}

async function signedIn(browser: Browser, url: string, viewer: HttpUser): Promise<Page> {
  const context = await browser.newContext({ baseURL: url })
  await context.addCookies([{ name: 'sid', value: viewer.cookie().replace('sid=', ''), url }])
  return context.newPage()
}

/** Presses play or a key, and returns the milliseconds until the first picture of the stream that this starts. */
function untilPicture(page: Page, key: 'click' | 'PageUp' | 'PageDown'): Promise<number> {
  // As a string, because this file is type-checked without the DOM types.
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const video = document.querySelector('video')
    const started = performance.now()
    setTimeout(() => reject(new Error('No picture: ' + document.querySelector('.player')?.textContent)), 20_000)
    const shown = () => void video.requestVideoFrameCallback(() => resolve(performance.now() - started))
    // Until this event the picture of the previous channel is shown.
    video.addEventListener('loadstart', shown, { once: true })
    if ('${key}' === 'click') document.querySelector('.player-start').click()
    else document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }))
  })`)
}

/** Returns the seconds until the check page of a channel shows its verdict. */
async function untilVerdict(browser: Browser, url: string, viewer: HttpUser, channelId: number): Promise<number> {
  const page = await signedIn(browser, url, viewer)
  const started = performance.now()
  await page.goto(`${url}/check?channel=${channelId}`)
  // This element appears when the check has ended.
  await page.locator('.check-again').waitFor({ timeout: 30_000 })
  const seconds = (performance.now() - started) / 1_000
  await page.close()
  return seconds
}
