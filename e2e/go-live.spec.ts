import { connect } from '#server/db/connect.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { silentLog } from '../test/harness/silent-log.ts'

test.use({ environment: { JOURNEYS: 'go-live' } })

const pages = [
  '/admin',
  '/admin/lines',
  '/admin/inquiries',
  '/admin/catalogue',
  '/admin/mails',
  '/admin/settings',
  '/admin/audit',
]

test('every admin page of a restored installation says that it is not live, until an administrator declares it live @proof', async ({
  signInAdmin,
  data,
  app,
}) => {
  const admin = await signInAdmin()
  const embedded = await startEmbedded({ dataDir: data, log: silentLog })
  const { pool, close } = connect(embedded.connection, { log: silentLog, max: 1 })
  await pool.query('UPDATE installation SET place = NULL, address = NULL, live_since = NULL, restored_at = now()')
  await close()
  await embedded.stop()

  const note = admin.getByText('This installation is not live.')
  for (const page of pages) {
    await admin.goto(app.url + page)
    await expect(note, page).toBeVisible()
  }
  await admin.goto('/admin')
  for (const width of [1440, 390]) {
    await admin.setViewportSize({ width, height: 900 })
    await expect(note).toBeVisible()
    await expectAccessible(admin)
  }
  await admin.getByRole('button', { name: 'Go Live' }).click()
  const dialog = admin.getByRole('alertdialog', { name: 'Make this the live installation?' })
  await expect(dialog).toContainText('First stop every other installation with the same customers')
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(note).toBeVisible()
  await admin.getByRole('button', { name: 'Go Live' }).click()
  await dialog.getByRole('button', { name: 'Go Live' }).click()
  await expect(note).toBeHidden()
  await admin.reload()
  await expect(admin.getByRole('heading', { name: 'Admin Panel' })).toBeVisible()
  await expect(note).toBeHidden()
  await admin.goto('/admin/audit')
  await expect(admin.getByRole('row').filter({ hasText: 'Installation declared live' })).toBeVisible()
})
