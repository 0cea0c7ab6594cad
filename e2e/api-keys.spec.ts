import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { adminPassword } from '../test/harness/browser-apps.ts'
import { inEachLook, savePicture } from '../test/harness/looks.ts'

inEachLook({ widths: [1440, 390], height: 900 }, ({ colorScheme, width }) => {
  test('an owner creates and copies an API key, a program uses it, and the owner revokes it', async ({
    page,
    context,
    signInAdmin,
    allowPageError,
  }, info) => {
    allowPageError(/403 .*api\/admin\/api-keys/)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const owner = await signInAdmin(page)
    await owner.goto('/admin/settings?section=api-keys')
    const name = `Warehouse ${colorScheme} ${width}`
    const section = owner.getByRole('region', { name: 'API Keys' })
    await section.getByRole('button', { name: 'Create API Key' }).click()
    const dialog = owner.getByRole('dialog', { name: 'Create API Key' })
    await dialog.getByRole('button', { name: 'Create API Key' }).click()
    await expect(dialog.getByText('Please select what the key may do').first()).toBeVisible()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('See problem reports').check()
    await dialog.getByLabel('Current password').fill('not the password')
    await dialog.getByRole('button', { name: 'Create API Key' }).click()
    await expect(dialog.getByText('This is not your current password').first()).toBeVisible()
    await expectAccessible(owner)
    await savePicture(owner, info, 'create')
    await dialog.getByLabel('Current password').fill(adminPassword)
    await dialog.getByRole('button', { name: 'Create API Key' }).click()

    const shown = owner.getByRole('dialog', { name: 'Copy your API key' })
    await shown.getByRole('button', { name: 'Copy API key' }).click()
    await expect(shown.getByText('Copied!')).toBeVisible()
    const key = await owner.evaluate(() => navigator.clipboard.readText())
    expect(key).toMatch(/^sauce_[0-9A-Za-z]{46}$/)
    await expect(shown.getByText(key)).toBeVisible()
    await expectAccessible(owner)
    await savePicture(owner, info, 'created')
    await shown.getByRole('button', { name: 'I’ve Saved It' }).click()

    const request = async (path: string) => {
      const response = await fetch(new URL(path, owner.url()), { headers: { authorization: `Bearer ${key}` } })
      return [response.status, ((await response.json()) as { code?: string }).code]
    }
    expect(await request('/api/admin/reports')).toEqual([200, undefined])
    expect(await request('/api/admin/users')).toEqual([403, 'missing_scope'])
    expect(await request('/api/user')).toEqual([403, 'not_for_api_keys'])
    await owner.reload()
    const entry = section.getByRole('listitem').filter({ hasText: name })
    await expect(entry).toContainText('Last used from 127.0.0.1')
    await expect(entry).toContainText('reports.read')
    await expect(entry).not.toContainText(key)
    await expectAccessible(owner)
    expect(await owner.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await savePicture(owner, info, 'keys', { fullPage: true })

    await entry.getByRole('button', { name: `Revoke ${name}` }).click()
    const revoking = owner.getByRole('dialog', { name: `Revoke ${name}?` })
    await revoking.getByLabel('Current password').fill(adminPassword)
    await expectAccessible(owner)
    await savePicture(owner, info, 'revoke')
    await revoking.getByRole('button', { name: 'Revoke Key' }).click()
    await expect(entry.getByText('Revoked', { exact: true })).toBeVisible()
    await expect(entry.getByRole('button')).toHaveCount(0)
    expect(await request('/api/admin/reports')).toEqual([401, 'revoked_api_key'])
    await owner.goto('/admin/audit')
    await expect(owner.getByRole('table').getByText('API key revoked').first()).toBeVisible()
  })
})
