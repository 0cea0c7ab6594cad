import type { Page } from '@playwright/test'
import { expect } from '../test/harness/browser.ts'
import { panelKey } from '../test/harness/fake-lines.ts'

/** Configures the main panel with one package for all plans, and returns the packages. */
export async function configurePanel(admin: Page, address: string): Promise<Record<string, string>> {
  const { version, value } = (await (await admin.request.get('/api/admin/provisioning')).json()) as {
    version: string
    value: object
  }
  const plans = (await (await admin.request.get('/api/plans')).json()) as { id: number }[]
  const packages = Object.fromEntries(plans.map(({ id }) => [String(id), '7']))
  const { origin } = new URL((await admin.request.get('/api/site')).url())
  const data = { version, value: { ...value, kind: 'xui-admin', address, key: panelKey, packages, trialPackage: '20' } }
  const saved = await admin.request.put('/api/admin/provisioning', { data, headers: { origin } })
  expect(saved.ok(), await saved.text()).toBe(true)
  return packages
}
