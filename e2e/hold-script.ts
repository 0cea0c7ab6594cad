import type { Page } from '@playwright/test'

/** Delays the script that contains `text` until the returned function is called, so that tests see the page while a part of it is loading. */
export async function holdScript(page: Page, text: string): Promise<() => void> {
  const loads = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch()
    if ((await response.text()).includes(text)) await loads.promise
    await route.fulfill({ response })
  })
  return loads.resolve
}
