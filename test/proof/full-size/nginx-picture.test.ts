// Chromium plays channels behind nginx: HLS, whose segments nginx fetches, a transport stream and a recording, which the app cuts.
import { chromium } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import { channelRights, channelStreams } from '#server/db/tables.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { addListings } from '../../harness/app-database.ts'
import { chromiumArguments, chromiumArgumentsLeftOut, findChromium } from '../../harness/chromium.ts'
import { startFakePanel } from '../../harness/fake-panel.ts'
import { bytes, transport } from '../../harness/fake-streams.ts'
import { nginx, startNginx } from '../../harness/nginx.ts'
import { dataFolder, freePort, runApp } from '../../harness/running-app.ts'
import { silentLog } from '../../harness/silent-log.ts'
import { streamEnvironment } from '../../harness/stream-app.ts'
import { offerStreams, storeViewers } from '../../harness/watch-installation.ts'

const executablePath = findChromium()
const playedSeconds = 20
const hourMs = 3_600_000

// Needs Debian's packages `nginx` and `chromium`.
test.runIf(nginx && executablePath)(
  `HLS, a transport stream and a recording play for ${playedSeconds} seconds through nginx`,
  { timeout: 300_000 },
  async () => {
    const data = dataFolder()
    onTestFinished(() => data.remove())
    const panel = await startFakePanel()
    onTestFinished(panel.close)
    panel.streams.modes['tape.ts'] = transport({ burst: 8 })
    panel.streams.modes.tape = bytes('<html>Missing</html>', 'text/html', 404)
    const [port, appPort] = [await freePort(), await freePort()]
    const url = `http://localhost:${port}`
    const env = streamEnvironment({
      PUBLIC_URL: url,
      PANEL_URL: panel.url,
      STREAM_OFFLOAD: 'nginx',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'info',
    })
    const app = await runApp({ dataDir: data.path, env, port: appPort, remember: 5_000 })
    onTestFinished(app.stop)
    const embedded = await startEmbedded({ dataDir: data.path, log: silentLog })
    const database = connect(embedded.connection, { log: silentLog, connectTimeoutMs: 15_000 })
    onTestFinished(database.close)
    const [news, tape] = (await offerStreams(database.db, ['news.1', 'tape.1'])) as [number, number]
    await database.db.insert(channelStreams).values({ channelId: tape, archiveDays: 2, number: 7 })
    await database.db.update(channelRights).set({ archiveHours: 48 })
    await addListings(data.path)
    const [viewers = []] = await storeViewers(database.db, readConfig({ DATA_DIR: data.path, ...env }), panel.url, {
      count: 1,
    })
    const front = await startNginx(data.path, appPort, { port })
    onTestFinished(front.stop)

    const browser = await chromium.launch({
      executablePath: executablePath!,
      args: chromiumArguments,
      ignoreDefaultArgs: chromiumArgumentsLeftOut,
    })
    onTestFinished(() => browser.close())
    const context = await browser.newContext()
    await context.addCookies([{ name: 'sid', value: viewers[0]!.cookie().replace('sid=', ''), url }])
    const page = await context.newPage()
    const errors: string[] = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    const segments: (string | undefined)[] = []
    page.on('response', (response) => {
      if (/\/stream\/.*\.ts$/.test(response.url())) segments.push(response.headers()['content-type'])
    })
    // A string, because this file is type-checked without the DOM types.
    const of = (name: string) => page.evaluate<number>(`document.querySelector('video').${name}`)
    const past = new Date(Math.floor(Date.now() / hourMs) * hourMs - 2 * hourMs).toISOString()
    for (const path of [`/watch/${news}`, `/watch/${tape}`, `/watch/${tape}?from=${past}`]) {
      segments.length = 0
      await page.goto(url + path, { waitUntil: 'networkidle' })
      await page.locator('.player-start').click()
      const at = () => of('currentTime')
      await expect.poll(at, { timeout: 20_000 }).toBeGreaterThan(0)
      const began = await at()
      await expect.poll(at, { timeout: 60_000, interval: 500 }).toBeGreaterThan(began + playedSeconds)
      expect([await of('videoWidth'), (await of('webkitAudioDecodedByteCount')) > 0]).toEqual([320, true])
      expect(segments.length).toBeGreaterThan(8)
      expect(new Set(segments)).toEqual(new Set(['video/mp2t']))
    }
    // The browser also reports violations of the page policy as errors.
    expect(errors).toEqual([])
    const ofKind = (kind: string) => panel.streams.requests.filter((path) => path.includes(kind))
    expect([ofKind('/hls/').length > 8, ofKind('/timeshift/').length > 0]).toEqual([true, true])
  },
)
