// The operator's staff: who works in the admin area, and the roles that determine what each member may do. Only owners may use these endpoints.
import * as z from 'zod/mini'
import { adminUser } from '#features/accounts/admin-contract.ts'
import { del, get, type Output, post, put } from '#kit/endpoint.ts'
import { grantablePermissions } from '#kit/permissions.ts'
import { id, idParam, instant, rowVersion, singleLine } from '#kit/text.ts'

const write = { access: 'admin', needs: 'staff.manage', limit: 'adminWrite', endsSessions: true } as const
const permission = z.enum(grantablePermissions)

const staffRole = z.object({
  id,
  /** Set for a built-in role, which cannot be changed. */
  key: z.nullable(z.string()),
  name: z.string(),
  description: z.string(),
  permissions: z.array(permission),
  /** The number of staff members with this role. */
  members: z.int(),
  version: rowVersion,
})
export type StaffRoleRow = z.output<typeof staffRole>

const member = z.object({
  id,
  username: z.string(),
  email: z.string(),
  /** Null for an owner. */
  staffRoleId: z.nullable(id),
  /** `Owner` or the name of the role. */
  roleName: z.string(),
  twoFactor: z.boolean(),
  /** When a session of this member was last used; null without an open session. */
  lastSeenAt: z.nullable(instant),
})

export const getStaff = get('/api/admin/staff', {
  summary: 'The staff members, owners first, and all roles',
  access: 'admin',
  needs: 'staff.manage',
  dependsOn: ['user', 'staff_role', 'two_factor'],
  output: z.object({ members: z.array(member), roles: z.array(staffRole) }),
})
export type Staff = Output<typeof getStaff>

/** `owner`, `none` for a customer without access to the admin area, or the id of a role. */
const newRole = z.union([z.literal('owner'), z.literal('none'), idParam], 'Please select a role')
export const newMember = z.object({
  account: singleLine(3, 254, 'Please enter a username or an email address'),
  role: newRole,
})
export const addMember = post('/api/admin/staff', {
  summary: 'Give an existing account a staff role',
  ...write,
  body: newMember,
  output: adminUser,
})
export const memberChange = z.object({ role: newRole })
export const changeMember = put('/api/admin/staff/:userId', {
  summary: 'Change the role of a staff member; `none` makes the account a customer',
  ...write,
  params: z.object({ userId: idParam }),
  body: memberChange,
  output: adminUser,
})

const roleFields = {
  name: singleLine(2, 40, 'Please enter a name of at least 2 characters'),
  description: z.union([z.literal(''), singleLine(1, 200, 'Please enter at most 200 characters')]),
  permissions: z
    .array(permission, 'Please select what the role may do')
    .check(z.minLength(1, 'Please select what the role may do'), z.maxLength(grantablePermissions.length)),
}
export const newStaffRole = z.object(roleFields)
export const staffRoleEdit = z.object({ ...roleFields, version: rowVersion })
export type StaffRoleFields = z.output<typeof newStaffRole>
const rolePath = z.object({ roleId: idParam })
export const createStaffRole = post('/api/admin/staff-roles', {
  summary: 'Add a staff role',
  ...write,
  body: newStaffRole,
  output: staffRole,
})
export const updateStaffRole = put('/api/admin/staff-roles/:roleId', {
  summary: 'Change a staff role; it applies to its members from their next request',
  ...write,
  params: rolePath,
  body: staffRoleEdit,
  output: staffRole,
})
export const deleteStaffRole = del('/api/admin/staff-roles/:roleId', {
  summary: 'Delete a staff role that has no members',
  ...write,
  params: rolePath,
  query: z.object({ version: idParam }),
  output: z.object({ id }),
})
