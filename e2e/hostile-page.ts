import type { Page } from '@playwright/test'
import { expect, test as journey } from '../test/harness/browser.ts'
import { looks } from '../test/harness/looks.ts'

declare global {
  interface Window {
    ran?: number
  }
}

/** Fails when the page opens a browser dialog or sends a request to another server. The base test already fails on errors of the page. */
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
    expect(seen, 'what the hostile texts did').toEqual([])
  },
})

/**
 * Fails when a text was executed, hid the page, added an element that loads something, made a dangerous link, or overflows in one of the looks
 * (widths and color schemes). The page stays in the last look, because each change of width lays out the whole page again.
 */
export async function expectNoInjection(page: Page, where: string): Promise<void> {
  const { ran, visibility, loading, protocols } = await page.evaluate(() => ({
    ran: window.ran,
    visibility: getComputedStyle(document.body).visibility,
    loading: document.querySelectorAll('base, iframe, object, embed, marquee').length,
    protocols: Array.from(
      document.querySelectorAll('a[href]'),
      (link) => new URL((link as HTMLAnchorElement).href).protocol,
    ),
  }))
  expect(ran, `${where}: a text ran`).toBeUndefined()
  expect([visibility, loading], where).toEqual(['visible', 0])
  const allowed = ['http:', 'https:', 'mailto:', 'tel:']
  expect(
    [...new Set(protocols)].filter((protocol) => !allowed.includes(protocol)),
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
}
