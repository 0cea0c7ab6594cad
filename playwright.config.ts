import { defineConfig } from '@playwright/test'
import { chromiumArguments, chromiumArgumentsLeftOut, findChromium } from './test/harness/chromium.ts'
import { isFullSize } from './test/harness/scale.ts'

// Static checks load this file on machines without a browser. scripts/test.ts refuses to run browser tests there.
const executablePath = findChromium()

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
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: chromiumArguments,
      ignoreDefaultArgs: chromiumArgumentsLeftOut,
    },
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
  },
})
