import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from './test/harness/chromium.ts'

const executablePath = findChromium()
if (!executablePath) throw new Error('No Chromium was found: install one, or say where it is with CHROMIUM_PATH')

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results/browser',
  workers: 1,
  // One second try where nobody is there to look; the summary says how many needed it. By hand and in the long runs there is none.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  // Patience for a busy machine; nothing waits when the page is there.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    launchOptions: { executablePath, args: chromiumArguments },
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
  },
})
