import type { Page } from '@playwright/test'
import { expect, test as journey } from '../test/harness/browser.ts'
import { looks } from '../test/harness/looks.ts'

declare global {
  interface Window {
    ran?: number
  }
}

/** A page test that also fails on dialogs and on requests to other hosts. Errors of the page fail it anyway. */
export const test = journey.extend<{ watched: string[] }>({
  watched: async ({ page, app }, use) => {
    const seen: string[] = []
    page.on('dialog', (dialog) => {
      seen.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== app.url) seen.push(`request: ${request.url()}`)
    })
    await use(seen)
    expect(seen, 'effects of the hostile texts').toEqual([])
  },
})

/** Expects that no script ran, nothing is hidden and nothing overflows, in all widths and color schemes. */
export async function expectNoInjection(page: Page, where: string): Promise<void> {
  expect(await page.evaluate(() => window.ran), `${where}: a script ran`).toBeUndefined()
  expect(
    await page.evaluate(() => [
      getComputedStyle(document.body).visibility,
      document.querySelectorAll('base, iframe, object, embed, marquee').length,
    ]),
    where,
  ).toEqual(['visible', 0])
  const links = await page
    .locator('a[href]')
    .evaluateAll((anchors) => anchors.map((anchor) => new URL((anchor as HTMLAnchorElement).href).protocol))
  expect(
    [...new Set(links)].filter((protocol) => !['http:', 'https:', 'mailto:', 'tel:'].includes(protocol)),
    where,
  ).toEqual([])
  for (const { width, colorScheme } of looks()) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    const wide = await page.evaluate(() => {
      const most = document.documentElement.clientWidth
      const isCut = (element: Element): boolean =>
        element !== document.body &&
        (getComputedStyle(element).overflowX !== 'visible' ||
          (element.parentElement !== null && isCut(element.parentElement)))
      const out = [...document.querySelectorAll('main *, [role=dialog] *')].filter(
        (each) =>
          each.getBoundingClientRect().right > most + 1 && each.children.length === 0 && !isCut(each.parentElement!),
      )
      return {
        scrolls: document.documentElement.scrollWidth > most,
        out: out.slice(0, 3).map((each) => `${each.tagName}.${each.className} ${each.textContent?.slice(0, 40)}`),
      }
    })
    expect(wide.scrolls ? wide.out : [], `${where}, ${width} wide, ${colorScheme}: overflows`).toEqual([])
    expect(wide.scrolls, `${where}, ${width} wide, ${colorScheme}: scrolls sideways`).toBe(false)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}
