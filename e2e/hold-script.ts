import type { Page } from '@playwright/test'

/**
 * Delays the script that contains `text` until the returned function is called, so that tests see the page while a part of it is loading. That function resolves
 * when all delayed responses are sent, and removes the routes of the page.
 */
export async function holdScript(page: Page, text: string): Promise<() => Promise<void>> {
  const loads = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch()
    if ((await response.text()).includes(text)) await loads.promise
    await route.fulfill({ response })
  })
  return () => {
    loads.resolve()
    return page.unrouteAll({ behavior: 'wait' })
  }
}
