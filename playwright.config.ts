import { defineConfig } from '@playwright/test'
import { chromiumArguments, chromiumArgumentsLeftOut, findChromium } from './test/harness/chromium.ts'
import { isFullSize } from './test/harness/scale.ts'

const executablePath = findChromium()
if (!executablePath) throw new Error('No Chromium was found: install one, or set CHROMIUM_PATH to the path of one')

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  // Each worker has an app, a database and a port of its own (test/harness/browser.ts).
  // One more than the cores of the smallest machine, since a test often waits: for a timer, for the app or for the next look at the page.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  ...(isFullSize ? {} : { grepInvert: /@proof/ }),
  // Long enough for a busy machine.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    launchOptions: { executablePath, args: chromiumArguments, ignoreDefaultArgs: chromiumArgumentsLeftOut },
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
  },
})
