// Admin endpoints of accounts: the user list, roles and password resets.
import * as z from 'zod/mini'
import { get, type Output, post, put } from '#kit/endpoint.ts'
import { csvOf, listQuery } from '#kit/lists.ts'
import { idParam } from '#kit/text.ts'
import { password, registration, role, subscriptionStatus, user } from './contract.ts'
import { resetMismatchMessage } from './rules.ts'

export const userSorts = ['createdAt', 'username', 'email', 'role', 'subscriptionEndDate'] as const
/** `status` is the subscription status. `endsOn` is a day in UTC and selects the active subscriptions that end on that day. */
export const userListQuery = listQuery(userSorts, {
  status: z.optional(subscriptionStatus),
  endsOn: z.optional(
    z.iso
      .date('Please enter a valid date')
      .check(z.refine((value) => value >= '2000' && value < '2101', 'Please enter a valid date')),
  ),
})
/** A user as shown to administrators. `planName` is null without a plan. */
export const adminUser = z.extend(user, { planName: z.nullable(z.string()) })
export type AdminUser = z.output<typeof adminUser>
export const listUsers = get('/api/admin/users', {
  summary: 'Users, newest first',
  access: 'admin',
  needs: 'customers.read',
  dependsOn: ['user', 'subscription', 'credit', 'invoice', 'iptv_account'],
  paged: true,
  query: userListQuery,
  output: z.array(adminUser),
})
export const exportUsers = csvOf('/admin/users.csv', {
  needs: 'customers.read',
  summary: 'Users as CSV',
  query: userListQuery,
})
export type UserRow = Output<typeof listUsers>['rows'][number]

export const newCustomer = z.pick(registration, { username: true, email: true, fullName: true })
export const createCustomer = post('/api/admin/users', {
  summary: 'Create a customer and email them a link to choose a password',
  access: 'admin',
  needs: 'customers.edit',
  limit: 'adminWrite',
  body: newCustomer,
  output: adminUser,
})

const userParams = z.object({ userId: idParam })
/** Why the account cannot be removed; null if it can be removed or has been removed. */
const undoCreationResult = z.object({ refusal: z.nullable(z.string()) })
export type UndoCreationResult = z.output<typeof undoCreationResult>
export const previewUndoCreation = get('/api/admin/users/:userId/undo-creation', {
  summary: 'Preview removing an account that an administrator created',
  access: 'admin',
  needs: 'customers.edit',
  params: userParams,
  output: undoCreationResult,
})
export const undoCreateCustomer = post('/api/admin/users/:userId/undo-creation', {
  summary: 'Remove an account that an administrator created, if it is unused',
  access: 'admin',
  needs: 'customers.edit',
  limit: 'adminWrite',
  params: userParams,
  output: undoCreationResult,
})
export const roleChange = z.object({ role })
export const updateRole = put('/api/admin/users/:userId/role', {
  summary: "Change a user's role",
  access: 'admin',
  needs: 'staff.manage',
  endsSessions: true,
  limit: 'adminWrite',
  params: userParams,
  body: roleChange,
  output: adminUser,
})

/** With `removeTwoFactor`, the second factor is also removed, in case an intruder set it up. Passkeys are always removed. */
export const passwordReset = z.object({ newPassword: password, removeTwoFactor: z.optional(z.boolean()) })
/** The dialog's own schema: `confirmPassword` is compared in the browser and never sent. */
export const passwordResetForm = z.extend(passwordReset, { confirmPassword: password }).check(
  z.refine((form) => form.newPassword === form.confirmPassword, {
    path: ['confirmPassword'],
    message: resetMismatchMessage,
  }),
)
export const resetPassword = put('/api/admin/users/:userId/reset-password', {
  summary: "Set a user's password for one login; their sessions and passkeys end",
  access: 'admin',
  needs: 'customers.access',
  sessionOnly: true,
  limit: 'adminReset',
  params: userParams,
  body: passwordReset,
  output: adminUser,
})
