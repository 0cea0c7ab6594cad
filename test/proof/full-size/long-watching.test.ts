// Live channels play in Chromium for a long time while the panel restarts, tokens become invalid and the network is cut.
import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumArguments, chromiumArgumentsLeftOut, findChromium } from '../../harness/chromium.ts'
import { startFakePanel } from '../../harness/fake-panel.ts'
import { bytes, transport } from '../../harness/fake-streams.ts'
import { ownServer } from '../../harness/own-server.ts'
import { proxyTo } from '../../harness/proxy.ts'
import { freePort } from '../../harness/running-app.ts'
import { roundCount } from '../../harness/scale.ts'
import { startStreamApp } from '../../harness/stream-app.ts'

const minutes = roundCount('WATCH_MINUTES', { full: 10 })
const kinds = [
  'restart of the panel',
  'new tokens',
  'cut to the panel',
  'cut to the viewers',
  'viewers offline',
] as const
type Kind = (typeof kinds)[number]
/** The time from one disturbance to the next, so that a run contains each kind at least once, and how long a cut and a restart last. In milliseconds. */
const everyMs = Number(process.env.WATCH_EVERY_SECONDS ?? Math.min(120, (minutes * 60) / kinds.length)) * 1_000
const cutMs = 5_000
const restartMs = 3_000
const stuckMs = 60_000
/** How often each viewer presses a key: without one, playback stops after 4 hours. In milliseconds. */
const keyMs = 3_600_000
const maxStalledRatio = 0.005
const executablePath = findChromium()

/** Script that adds up how long the video of a page did not move. A string, because this file is type-checked without the DOM types. */
const observer = `(() => {
  const seen = { ms: 0, stalledMs: 0, runMs: 0, longestMs: 0, stalls: 0, texts: [] }
  let last = performance.now()
  let at = -1
  setInterval(() => {
    const now = performance.now()
    const passed = now - last
    const { currentTime } = document.querySelector('video')
    const moved = Math.abs(currentTime - at) * 1000 > passed / 5
    last = now
    at = currentTime
    seen.ms += passed
    if (moved) {
      seen.runMs = 0
      return
    }
    if (seen.runMs === 0) seen.stalls++
    const before = seen.runMs
    seen.runMs += passed
    seen.stalledMs += passed
    seen.longestMs = Math.max(seen.longestMs, seen.runMs)
    if (before < 2000 && seen.runMs >= 2000) seen.texts.push(document.querySelector('.player').innerText.slice(0, 60).replaceAll('\\n', ' '))
  }, 200)
  window.watched = seen
})()`
type Watched = { ms: number; stalledMs: number; runMs: number; longestMs: number; stalls: number; texts: string[] }
type Viewer = { name: string; page: Page; context: BrowserContext }
const watchedBy = ({ page }: Viewer) => page.evaluate<Watched>('window.watched')
/** Returns the fraction of the time in which the video did not move. */
const ratioOf = (seen: { stalledMs: number; ms: number }[]): number =>
  seen.reduce((total, { stalledMs }) => total + stalledMs, 0) / seen.reduce((total, { ms }) => total + ms, 0)
const percent = (ratio: number): string => `${(ratio * 100).toFixed(3)} %`

// Needs Debian's package `chromium` or `chromium-headless-shell`.
test.runIf(executablePath)(
  `live channels for ${minutes} minutes with restarts, new tokens and cuts: no player is stuck, stalls are at most ${maxStalledRatio * 100} %`,
  { timeout: minutes * 60_000 + 300_000 },
  async () => {
    const panel = await startFakePanel()
    onTestFinished(panel.close)
    const { streams } = panel
    streams.modes['tape.ts'] = transport()
    streams.modes.tape = bytes('<html>Missing</html>', 'text/html', 404)
    const [toPanel, toBalancer] = [await proxyTo(panel.url), await proxyTo(streams.balancer)]
    streams.balancer = String(toBalancer.address).replace(/\/$/, '')
    const port = await freePort()
    const toApp = await proxyTo(`http://127.0.0.1:${port}`)
    const origin = new URL(toApp.address as string).origin
    const server = await ownServer()
    onTestFinished(server.remove)
    const installation = await startStreamApp({
      panel,
      panelUrl: String(toPanel.address),
      port,
      streams: ['news.1', 'direct.1', 'tape.1', 'tape.2'],
      database: server.address,
      env: { PUBLIC_URL: origin },
    })
    onTestFinished(installation.close)
    const customers = (await installation.viewers({ count: installation.channels.length })).flat()

    const browser = await chromium.launch({
      executablePath: executablePath!,
      args: chromiumArguments,
      ignoreDefaultArgs: chromiumArgumentsLeftOut,
    })
    onTestFinished(() => browser.close())
    const exceptions: string[] = []
    const viewers: Viewer[] = []
    for (const [n, name] of ['redirect and token', 'playlist', 'transport stream', 'transport stream 2'].entries()) {
      // Drawing a large page takes most of the processor time.
      const context = await browser.newContext({ viewport: { width: 480, height: 360 } })
      await context.addCookies([{ name: 'sid', value: customers[n]!.cookie().replace('sid=', ''), url: origin }])
      const page = await context.newPage()
      page.on('pageerror', ({ message }) => exceptions.push(`${name}: ${message}`))
      await page.goto(`${origin}/watch/${installation.channels[n]}`, { waitUntil: 'networkidle' })
      await page.locator('.player-start').click()
      await expect
        .poll(() => page.evaluate<number>(`document.querySelector('video').currentTime`), { timeout: 30_000 })
        .toBeGreaterThan(1)
      await page.evaluate(observer)
      viewers.push({ name, page, context })
    }

    const disturbances: Record<Kind, () => Promise<unknown>> = {
      'restart of the panel': async () => {
        await Promise.all([panel.stop(), toBalancer.close()])
        streams.forgetTokens()
        await sleep(restartMs)
        await Promise.all([panel.start(), toBalancer.listen()])
      },
      'new tokens': async () => streams.forgetTokens(),
      'cut to the panel': async () => {
        for (const proxy of [toPanel, toBalancer]) proxy.freeze()
        await sleep(cutMs)
        for (const proxy of [toPanel, toBalancer]) proxy.thaw()
      },
      'cut to the viewers': async () => {
        toApp.freeze()
        await sleep(cutMs)
        toApp.thaw()
      },
      'viewers offline': async () => {
        for (const { context } of viewers) await context.setOffline(true)
        await sleep(cutMs)
        for (const { context } of viewers) await context.setOffline(false)
      },
    }
    const seenBy: Record<string, { stalledMs: number; ms: number }[]> = {}
    const stuck: string[] = []
    const until = performance.now() + minutes * 60_000
    let keyAt = performance.now() + keyMs
    let before = await Promise.all(viewers.map(watchedBy))
    for (let turn = 0; performance.now() < until - everyMs / 2; turn++) {
      const began = performance.now()
      if (began >= keyAt) {
        for (const { page } of viewers) await page.keyboard.press('Shift')
        keyAt += keyMs
      }
      const name = kinds[turn % kinds.length]!
      await disturbances[name]()
      await sleep(Math.max(0, Math.min(began + everyMs, until) - performance.now()))
      const now = await Promise.all(viewers.map(watchedBy))
      const seen = now.map(({ stalledMs, ms }, n) => ({
        stalledMs: Math.round(stalledMs - before[n]!.stalledMs),
        ms: ms - before[n]!.ms,
      }))
      console.log(
        `${name}: stalled ${seen.map(({ stalledMs }) => stalledMs).join(', ')} ms ${now.flatMap(({ texts }, n) => texts.slice(before[n]!.texts.length)).join(' | ')}`,
      )
      seenBy[name] = [...(seenBy[name] ?? []), ...seen]
      for (const [n, { runMs, texts }] of now.entries())
        if (runMs > stuckMs / 2) stuck.push(`${viewers[n]!.name} after ${name}: ${texts.at(-1)}`)
      before = now
    }
    const all = await Promise.all(viewers.map(watchedBy))
    const sum = (of: (seen: Watched) => number) => all.reduce((total, seen) => total + of(seen), 0)
    const ratio = ratioOf(all)
    for (const [name, seen] of Object.entries(seenBy)) {
      const times = seen.map(({ stalledMs }) => stalledMs)
      console.log(
        `${name}: ${times.length / viewers.length} times, stalled ${percent(ratioOf(seen))} of the time, ${Math.round(times.reduce((a, b) => a + b, 0) / times.length)} ms on average, at most ${Math.max(...times)} ms`,
      )
    }
    console.log(
      `${(sum(({ ms }) => ms) / 3_600_000).toFixed(2)} hours watched, ${sum(({ stalls }) => stalls)} stalls, ${percent(ratio)} of the time, the longest ${Math.max(...all.map(({ longestMs }) => longestMs)).toFixed(0)} ms`,
    )
    expect.soft(Object.keys(seenBy)).toEqual([...kinds])
    expect.soft(stuck).toEqual([])
    expect.soft(Math.max(...all.map(({ longestMs }) => longestMs))).toBeLessThan(stuckMs)
    expect.soft(exceptions).toEqual([])
    expect.soft(ratio).toBeLessThanOrEqual(maxStalledRatio)
    // A page that is closed ends its play, and with it the stream from the panel.
    for (const { context } of viewers) await context.close()
    await expect.poll(() => streams.open(), { timeout: 30_000 }).toBe(0)
  },
)
