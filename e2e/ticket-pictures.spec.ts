import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { jpegFile, pngFile } from '../test/harness/pictures.ts'

test.use({ colorScheme: 'dark', viewport: { width: 390, height: 900 } })

test('a customer and an administrator send each other pictures, and unsent pictures are kept', async ({
  page,
  register,
  signInAdmin,
  app,
  allowPageError,
}) => {
  allowPageError(/status of (400|401|415|429|503)/)
  const customer = await register()
  const subject = `Box of ${customer.username}`
  const asked = await page.request.post('/api/inquiries', {
    data: { name: 'Ada Quill', email: 'ada@example.org', message: `${subject}\nWhich one is it?` },
    headers: { origin: app.url },
  })
  expect(asked.ok()).toBe(true)
  await page.goto('/messages')
  await page.getByRole('link', { name: subject }).click()
  const attach = page.getByLabel('Attach Pictures')
  const attached = page.getByRole('list', { name: 'Attached pictures' }).getByRole('listitem')
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })

  await attach.setInputFiles(file('song.png', Buffer.from('ID3 not a picture')))
  await expect(
    page.getByText('song.png: The file is not an image. Please use a PNG, JPEG or WebP image.'),
  ).toBeVisible()
  const front = await pngFile({ width: 900, height: 600 })
  const back = await jpegFile({ width: 300, height: 1200 })
  const checked = Promise.withResolvers<void>()
  await page.route('**/api/ticket-pictures', async (route) => {
    await checked.promise
    await route.continue()
  })
  const uploading = attach.setInputFiles(file('slow.png', await pngFile()))
  await expect(page.getByText(/^(Uploading|Checking) slow\.png…$/)).toBeVisible()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send Message' })).toHaveAttribute('aria-disabled', 'true')
  checked.resolve()
  await uploading
  await expect(attached).toHaveCount(1)
  await page.unroute('**/api/ticket-pictures')
  await page.getByRole('button', { name: 'Remove picture 1' }).click()
  await attach.setInputFiles([file('front.png', front), file('back.jpg', back), file('wrong.png', front)])
  await expect(attached).toHaveCount(3)
  await expect(attach).toBeDisabled()
  await page.getByRole('button', { name: 'Remove picture 3' }).click()
  await expect(attached).toHaveCount(2)
  await expectAccessible(page)
  const scrolls = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  expect(await scrolls()).toBe(false)

  // A failed request and a reload keep the text and the pictures.
  await page.getByLabel('Your answer').fill('This one.')
  await page.route('**/answers', (route) => route.fulfill({ status: 503, json: { message: 'Busy', code: 'busy' } }))
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('Busy')).toBeVisible()
  await page.unroute('**/answers')
  await page.reload()
  await expect(page.getByLabel('Your answer')).toHaveValue('This one.')
  await expect(attached).toHaveCount(2)

  // The end of the session keeps the pictures, too.
  const session = await page.context().cookies()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText(/log in/i).first()).toBeVisible()
  await page.context().addCookies(session)
  const thread = page.url()
  await page.goto(thread)
  await expect(attached).toHaveCount(2)
  await page.getByRole('button', { name: 'Send Message' }).click()
  const own = page.getByRole('img', { name: 'Picture from you, 1 of 2' })
  await expect(own).toBeVisible()
  await expect(attached).toHaveCount(0)

  // The dialog: by keyboard, with the other picture, and Escape returns to the thumbnail.
  await page.getByRole('button', { name: 'Picture from you, 1 of 2' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Picture from you, 1 of 2' })
  await expect(dialog.getByRole('img')).toHaveJSProperty('naturalWidth', 900)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('dialog', { name: 'Picture from you, 2 of 2' }).getByRole('img')).toHaveJSProperty(
    'naturalHeight',
    1200,
  )
  await page.keyboard.press('ArrowLeft')
  await expect(dialog).toBeVisible()
  expect(await scrolls()).toBe(false)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Picture from you, 1 of 2' })).toBeFocused()

  const admin = await signInAdmin()
  await admin.goto(`/admin/tickets?search=${encodeURIComponent(subject)}`)
  await admin.getByRole('link', { name: subject }).click()
  await admin.getByRole('button', { name: `Picture from ${customer.username}, 2 of 2` }).click()
  await expect(admin.getByRole('dialog').getByRole('img')).toHaveJSProperty('naturalHeight', 1200)
  await expectAccessible(admin)
  await admin.keyboard.press('Escape')
  await admin.getByLabel('Attach Pictures').setInputFiles(file('button.png', front))
  await expect(admin.getByRole('list', { name: 'Attached pictures' }).getByRole('listitem')).toHaveCount(1)
  await admin.getByRole('textbox', { name: 'Reply' }).fill('Press this button.')
  await admin.getByRole('button', { name: 'Send Reply' }).click()
  await expect(page.getByText('Press this button.')).toBeVisible()
  const [picture] = await page.getByRole('img', { name: /^Picture from (?!you).*, 1 of 1$/ }).all()
  await expect(picture!).toBeVisible()
  await page.getByRole('button', { name: /^Picture from (?!you).*, 1 of 1$/ }).click()
  await expect(page.getByRole('dialog').getByRole('img')).toHaveJSProperty('naturalWidth', 900)
  await page.setViewportSize({ width: 320, height: 400 })
  await expectAccessible(page)
  expect(await scrolls()).toBe(false)
})
