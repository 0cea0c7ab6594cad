// Chromium plays a channel whose segments nginx fetches.
import { randomBytes } from 'node:crypto'
import { chromium } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { chromiumArguments, chromiumArgumentsLeftOut, findChromium } from '../../harness/chromium.ts'
import { startFakePanel } from '../../harness/fake-panel.ts'
import { nginx, startNginx } from '../../harness/nginx.ts'
import { dataFolder, freePort, runApp } from '../../harness/running-app.ts'
import { silentLog } from '../../harness/silent-log.ts'
import { offerStreams, storeViewers } from '../../harness/watch-installation.ts'

const executablePath = findChromium()

// Needs Debian's packages `nginx` and `chromium`.
test.runIf(nginx && executablePath)(
  'a channel plays for 20 seconds through nginx, and the app sends no segment',
  { timeout: 180_000 },
  async () => {
    const data = dataFolder()
    onTestFinished(() => data.remove())
    const panel = await startFakePanel()
    onTestFinished(panel.close)
    const [port, appPort] = [await freePort(), await freePort()]
    const url = `http://localhost:${port}`
    const env = {
      SECRET_KEY: randomBytes(32).toString('base64'),
      PUBLIC_URL: url,
      PANEL_ALLOW_PRIVATE: 'true',
      PANEL_URL: panel.url,
      STREAM_OFFLOAD: 'nginx',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'info',
      SEED: 'sample',
      ADMIN_PASSWORD: 'proofs-only-here',
    }
    const app = await runApp({ dataDir: data.path, env, port: appPort, remember: 5_000 })
    onTestFinished(app.stop)
    const embedded = await startEmbedded({ dataDir: data.path, log: silentLog })
    const database = connect(embedded.connection, { log: silentLog, connectTimeoutMs: 15_000 })
    onTestFinished(database.close)
    const [channel] = await offerStreams(database.db, ['news.1'])
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
    await page.goto(`${url}/watch/${channel}`, { waitUntil: 'networkidle' })
    await page.locator('.player-start').click()
    // As text, because this file is checked without the types of pages.
    const of = (name: string) => page.evaluate<number>(`document.querySelector('video').${name}`)
    const at = () => of('currentTime')
    await expect.poll(at, { timeout: 20_000 }).toBeGreaterThan(0)
    const began = await at()
    await expect.poll(at, { timeout: 60_000, interval: 500 }).toBeGreaterThan(began + 20)
    expect([await of('videoWidth'), (await of('webkitAudioDecodedByteCount')) > 0]).toEqual([320, true])
    expect(errors).toEqual([])
    expect(segments.length).toBeGreaterThan(8)
    expect(new Set(segments)).toEqual(new Set(['video/mp2t']))
  },
)
