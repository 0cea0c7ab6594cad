import type { AnyEndpoint } from '#kit/endpoint.ts'
import { builtInRoles, isPermitted, type Permission, permissionsOf } from '#kit/permissions.ts'
import { cookieOf } from './access-principals.ts'
import { adminOnly, type Row, uniqueText } from './access-row.ts'
import type { World } from './access-world.ts'
import type { TestApp } from './app.ts'

/** A staff member with a role: the cookie of the session, and the permissions of the role. */
export type StaffPrincipal = { name: string; cookie: string; permissions: readonly Permission[] }

/** Signs in one member with each built-in role, and one with a role of its own that may only change account credit. */
export async function createStaff(app: TestApp): Promise<StaffPrincipal[]> {
  const { rows } = await app.database.pool.query<{ id: number; key: string | null }>(`
    WITH own AS (INSERT INTO staff_roles (name) VALUES ('Credit ${uniqueText()}') RETURNING id, key),
      granted AS (INSERT INTO staff_role_permissions SELECT id, 'credit.edit' FROM own)
    SELECT id, key FROM own UNION ALL SELECT id, key FROM staff_roles WHERE key IS NOT NULL`)
  const principals: StaffPrincipal[] = []
  for (const { id, key } of rows) {
    const name = key ?? 'credit'
    principals.push({
      name: `staff with the role ${name}`,
      cookie: cookieOf(await app.signInAdmin({ staffRoleId: id })),
      permissions: permissionsOf('admin', { key, name, permissions: key ? [...builtInRoles[key]!] : ['credit.edit'] }),
    })
  }
  return principals
}

/** Whether a staff member may call an endpoint; undefined where the staff have no more rights than customers. */
export function isAllowedTo(staff: StaffPrincipal, endpoint: AnyEndpoint, row: Row): boolean | undefined {
  if (endpoint.access === 'admin') return isPermitted(staff.permissions, endpoint.needs)
  const showsToAdministrators = endpoint.access === 'member' && row.admin === row.owner && row.admin !== row.other
  return showsToAdministrators ? staff.permissions.includes('invoices.read') : undefined
}

const newRole = () => ({ name: `Role ${uniqueText()}`, description: '', permissions: ['reports.read'] })
const ownRole = async ({ app, pathParams }: World) => {
  const { rows } = await app.database.pool.query<{ id: number }>(
    `INSERT INTO staff_roles (name) VALUES ('Role ${uniqueText()}') RETURNING id`,
  )
  pathParams.roleId = rows[0]!.id
}

/** The endpoints of the staff and its roles: for owners only. */
export const staffRows: Record<string, Row> = {
  'GET /api/admin/staff': adminOnly(),
  'POST /api/admin/staff': adminOnly({ body: ({ other }) => ({ account: other.user.username, role: 'owner' }) }),
  'PUT /api/admin/staff/:userId': adminOnly({ body: () => ({ role: 'owner' }) }),
  'POST /api/admin/staff-roles': adminOnly({ body: newRole }),
  'PUT /api/admin/staff-roles/:roleId': adminOnly({ prepare: ownRole, body: () => ({ ...newRole(), version: 1 }) }),
  'DELETE /api/admin/staff-roles/:roleId': adminOnly({ prepare: ownRole, query: () => '?version=1' }),
}
