import { expect, type Page } from '@playwright/test'

/** Polling options for playback checks. The default intervals of Playwright grow to a second, so each check could end up to a second late. */
export const often = { timeout: 20_000, intervals: [100] }

/** Advances the clock of a page by half a second at a time until the check passes. `page.clock.install()` must have been called. */
export const passTimeUntil = (page: Page, check: () => Promise<void>): Promise<void> =>
  expect(async () => {
    await page.clock.fastForward(500)
    await check()
  }).toPass({ timeout: 40_000, intervals: [100] })
