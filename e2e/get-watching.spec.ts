import { inAppDatabase } from '../test/harness/app-database.ts'
import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { decideOrder, openOrder, sendWrite, submitOrder } from './order.ts'

test.use({ viewport: { width: 390, height: 900 }, colorScheme: 'dark' })

test('the guided setup leads from a submitted payment through a manual line to the login, without a reload or a click', async ({
  page,
  register,
  adminCaller,
  newPage,
  data,
  allowPageError,
}) => {
  allowPageError(/status of 400/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => {
    const shown: string[] = []
    class Notice {
      static permission = 'default'
      static requestPermission = async () => 'granted'
      constructor(title: string) {
        shown.push(title)
      }
    }
    Object.assign(window, { Notification: Notice, shownNotices: shown })
    document.hasFocus = () => false
  })
  const guides = (await (await adminCaller.request.get('/api/admin/setup-guides')).json()) as { device: string }[]
  const { id: guideId, device, ...lg } = guides.find((each) => each.device === 'lg') as { id: number; device: string }
  await sendWrite(adminCaller, 'put', `/api/admin/setup-guides/${guideId}`, { ...lg, hidden: false })
  const { email } = await register({ fullName: 'Maya Ellis' })
  const order = await openOrder(page)
  await submitOrder(page, order, { paymentMethod: 'cashapp', confirmationCode: 'WATCH-1' })
  await page.goto('/dashboard')
  const guide = (name: string) => page.getByRole('region', { name, exact: true })
  const stuck = page.getByRole('region', { name: 'Stuck?' })
  const steps = (done: number) => page.getByRole('img', { name: `${done} of 4 steps done` })
  await expect(guide('Almost there, Maya.')).toContainText(`${order.price} by Cash App.`)
  await expect(steps(0)).toBeVisible()
  await expect(stuck.getByRole('link', { name: 'Contact Support' })).toHaveAttribute('href', '/contact')
  await expect(page.getByRole('link', { name: /^Subscribe Now/ })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Pay Now' })).toHaveCount(0)

  await decideOrder(adminCaller, order.invoiceNumber, 'paid')
  await expect(guide('Our team has your order.')).toContainText('Our team is creating your TV login')
  await expect(guide('Our team has your order.')).toContainText(email)
  await expect(steps(1)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'IPTV Account' }).click()
  await expect(page.getByRole('region', { name: 'Your line' })).toContainText('Our team is creating your TV login')
  await expect(page.getByLabel('IPTV Username')).toBeHidden()
  await page.getByText('I already have a login').click()
  await expect(page.getByLabel('IPTV Username')).toBeVisible()
  await page.getByRole('tab', { name: 'Subscription' }).click()
  await page.getByRole('button', { name: 'Notify Me Here' }).click()
  await expect(page.getByText('This browser will notify you while this page is open.')).toBeVisible()

  const { id } = (await (await page.request.get('/api/user')).json()) as { id: number }
  const { jobs } = (await (await adminCaller.request.get(`/api/admin/users/${id}/line`)).json()) as {
    jobs: { id: number }[]
  }
  const login = { username: 'maya7731', password: 'Open+Sesame/1', server: 'http://tv.example:8080' }
  await sendWrite(adminCaller, 'post', `/api/admin/lines/${jobs[0]?.id}/made`, login)
  const ready = guide('You’re in, Maya.')
  await expect(ready).toContainText('maya7731')
  await expect(steps(2)).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => (window as Window & { shownNotices?: string[] }).shownNotices))
    .toEqual(['Your TV login is ready'])
  await expect(ready).toContainText(/Created in \d+ seconds?\./)
  await ready.getByRole('button', { name: 'Copy password' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Open+Sesame/1')
  await expect(ready).not.toContainText('Open+Sesame/1')
  await ready.getByRole('button', { name: 'Reveal password' }).click()
  await expect(ready).toContainText('Open+Sesame/1')
  await expectAccessible(page)

  await ready.getByLabel('Your app asks for').selectOption('playlist')
  await expect(ready).toContainText('http://tv.example:8080/get.php?username=maya7731&password=Open%2BSesame%2F1')
  const created = page.waitForResponse('/api/line/link')
  await ready.getByRole('button', { name: 'Show QR Code' }).click()
  await expect(ready.getByRole('img', { name: 'QR code of your TV login' })).toBeVisible()
  const { token } = (await (await created).json()) as { token: string }
  const phone = await newPage()
  await phone.goto(`/tv-login#token=${token}`)
  await expect(phone).toHaveURL('/tv-login')
  await expectAccessible(phone)
  await phone.getByRole('button', { name: 'Show Login' }).click()
  await expect(phone.getByRole('main')).toContainText('Open+Sesame/1')
  await expectAccessible(phone)
  await expect(ready).toContainText('The code was used')
  await phone.goto('/faq')
  await phone.goto(`/tv-login#token=${token}`)
  await phone.getByRole('button', { name: 'Show Login' }).click()
  await expect(phone.getByRole('alert')).toContainText('This code was used or has expired.')

  await expect(ready.getByRole('link', { name: 'LG TV' })).toHaveAttribute('href', `/setup?device=${device}`)
  await expectAccessible(page)
  await ready.getByRole('link', { name: 'LG TV' }).click()
  const panel = page.getByRole('tabpanel', { name: 'Other Devices' })
  await expect(panel).toContainText('maya7731')
  await expect(panel.getByText('For demonstration only')).toHaveCount(0)
  await sendWrite(adminCaller, 'put', `/api/admin/setup-guides/${guideId}`, { ...lg, hidden: true, version: 2 })
  await page.goto('/dashboard')

  await ready.getByRole('button', { name: 'I’m Watching, Close This' }).click()
  await expect(ready).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Subscription', exact: true })).toContainText('Active')
  await expect(ready).toHaveCount(0)
  await expect(stuck).toHaveCount(0)

  await inAppDatabase(data, (client) =>
    client.query(`update users set subscription_end_date = now() + interval '9 days' where id = $1`, [id]),
  )
  await page.reload()
  const next = page.getByRole('region', { name: 'Renew before your plan ends' })
  await expect(next.getByRole('link', { name: 'Renew Now' })).toHaveAttribute('href', /^\/checkout\?planId=/)
  await expectAccessible(page)
  await next.getByRole('button', { name: 'Not Now' }).click()
  await expect(next).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Subscription', exact: true })).toBeFocused()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Renew Subscription' })).toBeVisible()
  await expect(next).toHaveCount(0)
})
