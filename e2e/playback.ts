import { expect, type Page } from '@playwright/test'

/** For checks of what plays. The usual intervals grow to a second, which each check would wait longer than the stream needs. */
export const often = { timeout: 20_000, intervals: [100] }

/** Lets time pass faster for the timers of a page, by half a second at a time, until the check passes. The clock of the page must be installed. */
export const passTimeUntil = (page: Page, check: () => Promise<void>): Promise<void> =>
  expect(async () => {
    await page.clock.fastForward(500)
    await check()
  }).toPass({ timeout: 40_000, intervals: [100] })
