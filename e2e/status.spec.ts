import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { inEachLook, savePicture } from '../test/harness/looks.ts'
import { sendWrite } from './order.ts'

test('the operator publishes an outage and ends it, and visitors follow it without scripts', async ({
  page,
  signInAdmin,
  browser,
  app,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const visitor = await context.newPage()
  const admin = await signInAdmin(page)
  const title = `Sports ${Date.now().toString(36)}`
  await admin.goto('/admin?tab=reports')
  await admin.getByRole('button', { name: 'New Incident' }).click()
  const dialog = admin.getByRole('dialog', { name: 'New Incident' })
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(dialog.getByLabel('Title')).toHaveAccessibleDescription(/enter a title/)
  await expectAccessible(admin)
  await dialog.getByText('Something does not work.').click()
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel('What customers should know').fill('All sports channels are dark.')
  await dialog.getByLabel('Sports').check()
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(dialog).toBeHidden()

  await visitor.goto(`${app.url}/`)
  await visitor.getByRole('contentinfo').getByRole('link', { name: 'Service Status' }).click()
  await expect(visitor.getByRole('heading', { name: 'There is an outage' })).toBeVisible()
  const shown = visitor.getByRole('listitem').filter({ hasText: title })
  await expect(shown).toContainText('all channels in Sports')
  await expect(shown).toContainText('All sports channels are dark.')
  await expect(visitor.getByRole('img', { name: /\d+ days? with an outage/ })).toBeVisible()

  const row = admin.getByRole('listitem').filter({ hasText: title })
  await row.getByRole('button', { name: 'Update' }).click()
  const update = admin.getByRole('dialog', { name: 'Update' })
  await update.getByLabel('What is new').fill('Half of them work again.')
  await update.getByLabel('Kind').selectOption('problem')
  await update.getByRole('button', { name: 'Publish Update' }).click()
  await expect(row).toContainText('Problem')
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'There is a problem' })).toBeVisible()
  await expect(shown).toContainText('Half of them work again.')

  await row.getByRole('button', { name: 'End' }).click()
  const end = admin.getByRole('dialog', { name: 'End Incident' })
  await end.getByLabel('What was done').fill('The feed was replaced.')
  await end.getByRole('button', { name: 'End Incident' }).click()
  await expect(end).toBeHidden()
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'All systems are working' })).toBeVisible()
  await shown.locator('summary').click()
  await expect(shown.getByText('The feed was replaced.')).toBeVisible()
  await context.close()
})

test('planned maintenance is shown before it begins and can be withdrawn @proof', async ({
  page,
  signInAdmin,
  newPage,
  allowPageError,
}) => {
  allowPageError(/status of 400/)
  const admin = await signInAdmin(page)
  const title = `Work ${Date.now().toString(36)}`
  await admin.goto('/admin?tab=reports')
  const opener = admin.getByRole('button', { name: 'New Incident' })
  await opener.click()
  const dialog = admin.getByRole('dialog', { name: 'New Incident' })
  await dialog.getByText('Planned, with an end.').click()
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel('What customers should know').fill('We replace a server.')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(dialog.getByLabel('Planned end')).toHaveAccessibleDescription(/needs a planned end/)
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  await dialog.getByLabel('Start').fill(`${day}T02:00`)
  await dialog.getByLabel('Planned end').fill(`${day}T04:00`)
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(dialog).toBeHidden()
  const visitor = await newPage()
  await visitor.goto('/status')
  await expect(visitor.getByRole('heading', { name: 'All systems are working' })).toBeVisible()
  await expect(visitor.getByRole('listitem').filter({ hasText: title })).toContainText('the whole service')
  await admin.getByRole('button', { name: `Withdraw ${title}` }).click()
  const confirm = admin.getByRole('alertdialog')
  await confirm.getByRole('button', { name: 'Withdraw' }).click()
  await expect(confirm).toBeHidden()
  await visitor.reload()
  await expect(visitor.getByText(title)).toBeHidden()
})

test('a case of reports is published with one click, and the reporter is emailed when the incident ends', async ({
  page,
  newCaller,
  register,
  signInAdmin,
}) => {
  const reporter = await register({}, await newCaller())
  const name = `Channel ${Date.now().toString(36)}`
  await sendWrite(reporter.page, 'post', '/api/reports', {
    contentType: 'channel',
    contentName: name,
    issue: 'buffering',
  })
  const admin = await signInAdmin(page)
  await admin.goto('/admin?tab=reports')
  await admin.locator('#report-cases').click()
  await admin.getByRole('button', { name: `Open the case of ${name}` }).click()
  const dialog = admin.getByRole('dialog', { name: `Reports on ${name}` })
  await dialog.getByRole('button', { name: 'Show on the Status Page' }).click()
  await expect(dialog).toContainText('The status page shows')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  const row = admin.getByRole('listitem').filter({ hasText: '1 report waiting' })
  await row.getByRole('button', { name: 'End' }).click()
  const end = admin.getByRole('dialog', { name: 'End Incident' })
  await expect(end.getByLabel(`Resolve 1 report on ${name}`)).toBeChecked()
  await end.getByRole('button', { name: 'End Incident' }).click()
  await expect(end).toBeHidden()
  const mine = (await (await reporter.page.request.get('/api/reports')).json()) as { status: string }[]
  expect(mine.map(({ status }) => status)).toEqual(['resolved'])
})

inEachLook({ height: 900 }, () => {
  test('the status page is accessible, fits, and is linked where problems are reported', async ({
    page,
    register,
    adminCaller,
  }, info) => {
    const incident = { kind: 'outage', title: 'News is dark', text: 'We look into it.', channels: [] }
    await sendWrite(adminCaller, 'post', '/api/admin/incidents', { ...incident, categories: ['news', 'kids'] })
    await register()
    await page.goto('/dashboard?tab=reports')
    await page.getByRole('main').getByRole('link', { name: 'status page' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Service Status' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'There is an outage' })).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    await savePicture(page, info, 'status', { fullPage: true })
  })
})

test('a failed request shows an error, and trying again shows the status @proof', async ({ page, allowPageError }) => {
  allowPageError(/api\/status|503|Failed to load/)
  await page.goto('/faq')
  await page.route('**/api/status', (route) =>
    route.fulfill({ status: 503, json: { message: 'We are very busy', code: 'busy' } }),
  )
  await page.getByRole('contentinfo').getByRole('link', { name: 'Service Status' }).click()
  await expect(page.getByRole('alert')).toContainText('We are very busy')
  await page.unroute('**/api/status')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: /^The last 90 days/ })).toBeVisible()
})
