/**
 * The permissions of staff members. Every admin endpoint names the permission that it needs (`needs` in its contract), and a staff role is a
 * set of these names. Their labels are in `features/staff/permission-rules.ts`.
 */
export const grantablePermissions = [
  'customers.read',
  'customers.edit',
  'customers.access',
  'customers.view_as',
  'subscriptions.edit',
  'announcements.read',
  'announcements.edit',
  'imports.read',
  'imports.edit',
  'trials.read',
  'trials.decide',
  'reports.read',
  'reports.edit',
  'inquiries.read',
  'inquiries.edit',
  'tickets.read',
  'tickets.edit',
  'invoices.read',
  'invoices.edit',
  'payments.read',
  'payments.decide',
  'refunds.decide',
  'credit.edit',
  'insight.read',
  'lines.read',
  'lines.edit',
  'catalog.read',
  'catalog.edit',
  'guide.read',
  'guide.edit',
  'watching.read',
  'watching.edit',
  'visitors.read',
  'mails.read',
  'mails.send',
  'mails.reveal',
  'audit.read',
  'settings.read',
  'settings.edit',
] as const
/** A permission that a role may contain. */
export type GrantablePermission = (typeof grantablePermissions)[number]

/**
 * `desk.use`: the parts of the admin area that all staff share; every role contains it. `staff.manage`: only owners, who
 * change roles, API keys, webhooks and the mail server.
 */
export type Permission = GrantablePermission | 'desk.use' | 'staff.manage'

/** The permissions of an owner. */
export const allPermissions: readonly Permission[] = ['desk.use', 'staff.manage', ...grantablePermissions]

/** What an endpoint or a page needs: one permission, or one of several. */
export type Needs = Permission | readonly Permission[]

/** Whether a user with these permissions has what an endpoint or a page needs. */
export const isPermitted = (has: readonly string[], needs: Needs): boolean =>
  typeof needs === 'string' ? has.includes(needs) : needs.some((permission) => has.includes(permission))

/** The permissions of the built-in staff roles, by role key. Built-in roles cannot be changed. */
export const builtInRoles: Record<string, readonly GrantablePermission[]> = {
  support: [
    'customers.read',
    'customers.edit',
    'customers.access',
    'customers.view_as',
    'trials.read',
    'trials.decide',
    'reports.read',
    'reports.edit',
    'inquiries.read',
    'inquiries.edit',
    'tickets.read',
    'tickets.edit',
    'lines.read',
    'lines.edit',
    'catalog.read',
    'guide.read',
    'watching.read',
    'visitors.read',
  ],
  cashier: [
    'customers.read',
    'invoices.read',
    'invoices.edit',
    'payments.read',
    'payments.decide',
    'refunds.decide',
    'catalog.read',
  ],
  catalog_editor: ['catalog.read', 'catalog.edit', 'guide.read', 'guide.edit', 'watching.read', 'watching.edit'],
  read_only: grantablePermissions.filter((permission) => permission.endsWith('.read')),
}

/** A role with its permissions. A built-in role has a key. */
export type StaffRole = { key: string | null; name: string; permissions: string[] }

const isGrantable = (name: string): name is GrantablePermission =>
  (grantablePermissions as readonly string[]).includes(name)

/** Returns the permissions of an account. An administrator without a staff role is an owner. A customer has none. */
export function permissionsOf(role: 'user' | 'admin', staff: StaffRole | null): readonly Permission[] {
  if (role !== 'admin') return []
  if (!staff) return allPermissions
  // Ignores stored names that this release does not define.
  return ['desk.use', ...staff.permissions.filter(isGrantable)]
}
