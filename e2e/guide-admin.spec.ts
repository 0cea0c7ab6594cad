import { expect, expectAccessible } from '../test/harness/browser.ts'
import { linePassword } from '../test/harness/fake-panel.ts'
import { hourly, xmltvChannel, xmltvFile } from '../test/harness/xmltv.ts'
import { test } from './lineup.ts'
import { sendWrite } from './order.ts'

test('an administrator adds a guide source, the app reads it, and the administrator matches a channel by hand', async ({
  signInAdmin,
  adminCaller,
  panel,
}) => {
  panel.watch.categories = [{ category_id: '1', category_name: 'News' }]
  panel.watch.streams = [
    { stream_id: '1', name: 'Harbor News', stream_type: 'live', category_id: '1', epg_channel_id: 'harbor.example' },
    { stream_id: '2', name: 'Kanal Zwei', stream_type: 'live', category_id: '1' },
  ]
  await sendWrite(adminCaller, 'post', '/api/admin/channel-import', {
    iptvUsername: 'line',
    iptvPassword: linePassword,
    categories: { news: '1' },
    show: true,
  })
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000
  panel.watch.xmltv = xmltvFile(
    xmltvChannel('harbor.example', 'Harbor'),
    xmltvChannel('second.example', 'Second Channel'),
    hourly(['harbor.example', 'second.example'], hour, 6),
  )

  const admin = await signInAdmin()
  await admin.goto('/admin/guide')
  await expect(admin.getByText('No sources yet')).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Add Source' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Add Source' })
  await dialog.getByRole('button', { name: 'Add Source' }).click()
  await expect(dialog.getByText('Please enter a name')).toBeVisible()
  await expectAccessible(admin)
  await dialog.getByLabel('Name').fill('Panel')
  await dialog.getByLabel('Address').fill(`${panel.url}/xmltv.php?username=line&password=hidden-word`)
  await dialog.getByRole('button', { name: 'Add Source' }).click()
  const sources = admin.getByRole('region', { name: 'Sources' })
  await expect(sources.getByText('Read', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(sources).toContainText('12 (')
  await expect(admin.locator('body')).not.toContainText('hidden-word')
  await expectAccessible(admin)

  await admin.getByRole('searchbox').first().fill('Kanal')
  await expect(admin.getByText('Not matched').last()).toBeVisible()
  await admin.getByRole('button', { name: 'Choose the listings of Kanal Zwei' }).click()
  const match = admin.getByRole('dialog', { name: 'Listings for Kanal Zwei' })
  await match.getByLabel('Search').fill('second')
  await match.getByLabel('Listings').selectOption({ label: 'Second Channel (second.example, Panel)' })
  await match.getByLabel('Shift in minutes').fill('60')
  await expectAccessible(admin)
  await match.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('60 min')).toBeVisible()
  await expectAccessible(admin)
})
