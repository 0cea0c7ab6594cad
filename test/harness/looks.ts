import type { Page, TestInfo } from '@playwright/test'
import { test } from './browser.ts'
import { isFullSize } from './scale.ts'

export type Look = { colorScheme: 'light' | 'dark'; width: number }

/**
 * The color schemes and widths (pixels) in which pages are checked for accessibility and overflow: every combination at full size, else
 * dark at the narrowest width, which no other browser test covers.
 */
export function looks(widths = [1440, 390]): Look[] {
  const all = (['light', 'dark'] as const).flatMap((colorScheme) => widths.map((width) => ({ colorScheme, width })))
  const narrowest = Math.min(...widths)
  return isFullSize ? all : all.filter(({ colorScheme, width }) => colorScheme === 'dark' && width === narrowest)
}

/** Defines the tests of `body` once for each of `looks`. */
export function inEachLook(
  { widths, height }: { widths?: number[]; height: number },
  body: (look: Look) => void,
): void {
  for (const look of looks(widths)) {
    test.describe(`in ${look.colorScheme} mode, ${look.width} pixels wide,`, () => {
      test.use({ colorScheme: look.colorScheme, viewport: { width: look.width, height } })
      body(look)
    })
  }
}

/**
 * Saves a screenshot of the page with the results of the test, for people to look at. At full size only, because rendering and compressing it takes processor
 * time.
 */
export async function savePicture(
  page: Page,
  info: TestInfo,
  name: string,
  options: { fullPage?: true } = {},
): Promise<void> {
  if (isFullSize) await page.screenshot({ path: info.outputPath(`${name}.png`), ...options })
}
