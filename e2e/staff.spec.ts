import { expect, expectAccessible, test } from '../test/harness/browser.ts'

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
  await owner.screenshot({ path: info.outputPath('role.png') })
  await roleDialog.getByRole('button', { name: 'Add Role' }).click()
  await expect(roleDialog).toBeHidden()

  await owner.getByRole('button', { name: 'Add Member' }).click()
  const memberDialog = owner.getByRole('dialog', { name: 'Add Member' })
  await memberDialog.getByLabel('Username or email').fill(who.username)
  await memberDialog.getByLabel('Role').selectOption(`Desk ${who.username}`)
  await memberDialog.getByRole('button', { name: 'Add Member' }).click()
  await expect(owner.getByText(`Desk ${who.username}, two-step verification off`)).toBeVisible()
  await expectAccessible(owner)
  await owner.screenshot({ path: info.outputPath('staff.png'), fullPage: true })

  const member = who.page
  await member.goto('/admin/overview')
  const navigation = member.getByRole('navigation', { name: 'Administration' })
  await expect(navigation.getByRole('link')).toHaveText([/.*/, 'Overview', 'Reports'])
  await member.goto('/admin/settings')
  await expect(member.getByText('You do not have permission to see this page')).toBeVisible()
  await expectAccessible(member)
  await member.screenshot({ path: info.outputPath('refused.png') })
})
