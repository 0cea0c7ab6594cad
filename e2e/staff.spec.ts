import { expect, expectAccessible, test } from '../test/harness/browser.ts'
import { savePicture } from '../test/harness/looks.ts'
import { sendWrite } from './order.ts'

test('an owner adds a role and a member, whose pages show only what the role allows', async ({
  page,
  newPage,
  signInAdmin,
  register,
}, info) => {
  const owner = await signInAdmin(page)
  const who = await register({}, await newPage())
  await owner.goto('/admin/settings?section=staff')
  await owner.getByRole('button', { name: 'Add Role' }).click()
  const roleDialog = owner.getByRole('dialog', { name: 'Add Role' })
  await roleDialog.getByLabel('Name').fill(`Desk ${who.username}`)
  await roleDialog.getByRole('button', { name: 'Add Role' }).click()
  await expect(roleDialog.getByText('Please select what the role may do').first()).toBeVisible()
  await roleDialog.getByLabel('See problem reports').check()
  await expectAccessible(owner)
  await savePicture(owner, info, 'role')
  await roleDialog.getByRole('button', { name: 'Add Role' }).click()
  await expect(roleDialog).toBeHidden()

  await owner.getByRole('button', { name: 'Add Member' }).click()
  const memberDialog = owner.getByRole('dialog', { name: 'Add Member' })
  await memberDialog.getByLabel('Username or email').fill(who.username)
  await memberDialog.getByLabel('Role').selectOption(`Desk ${who.username}`)
  await memberDialog.getByRole('button', { name: 'Add Member' }).click()
  await expect(owner.getByText(`Desk ${who.username}, two-step verification off`)).toBeVisible()
  await expectAccessible(owner)
  await savePicture(owner, info, 'staff', { fullPage: true })

  const member = who.page
  await member.goto('/admin/overview')
  const navigation = member.getByRole('navigation', { name: 'Administration' })
  await expect(navigation.getByRole('link')).toHaveText([/.*/, 'Overview', /^Reports/])
  await member.goto('/admin/settings')
  await expect(member.getByText('You do not have permission to see this page')).toBeVisible()
  await expectAccessible(member)
  await savePicture(member, info, 'refused')
})

const readOnlyPages = [
  ...['/admin', '/admin?tab=reports', '/admin?tab=trials', '/admin/overview', '/admin/inquiries', '/admin/tickets'],
  ...['/admin/payments', '/admin/catalogue', '/admin/catalogue?tab=channels', '/admin/catalogue?tab=devices'],
  ...['/admin/catalogue?tab=faqs', '/admin/catalogue?tab=guides', '/admin/lines', '/admin/watching', '/admin/guide'],
  ...['/admin/mails', '/admin/audit', '/admin/import', '/admin/settings', '/admin/settings?section=mailbox'],
  ...['/admin/settings?section=processors', '/admin/settings?section=payments', '/admin/users/1'],
]
/** The first words of the names of buttons that change something. */
const changes =
  /^(Accept|Add|Approve|Confirm|Create|Delete|Deny|Edit|Give|Mark|Match|Move|Publish|Read Now|Record|Remove|Save|Set Aside|Split|Test|Undo|Update|Upload|View\/Edit)\b/

test('a member with the read-only role sees no button that changes something @proof', async ({
  newPage,
  register,
  adminCaller,
}) => {
  test.setTimeout(180_000)
  const reader = await register({}, await newPage())
  const { roles } = (await (await adminCaller.request.get('/api/admin/staff')).json()) as {
    roles: { id: number; key: string | null }[]
  }
  const role = roles.find(({ key }) => key === 'read_only')!.id
  await sendWrite(adminCaller, 'post', '/api/admin/staff', { account: reader.username, role })
  for (const path of readOnlyPages) {
    await reader.page.goto(path)
    await expect(reader.page.locator('main [aria-busy=true]')).toHaveCount(0)
    const names = await reader.page
      .locator('main button:enabled:visible')
      .evaluateAll((buttons) => buttons.map((each) => (each.ariaLabel ?? each.textContent ?? '').trim()))
    expect(
      names.filter((name) => changes.test(name)),
      path,
    ).toEqual([])
  }
})
