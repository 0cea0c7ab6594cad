import { asc, eq, sql } from 'drizzle-orm'
import { builtInRoles, type GrantablePermission, grantablePermissions } from '#kit/permissions.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { staffRoles, users } from '#server/db/tables.ts'
import { notFound } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { Staff, StaffRoleRow } from '../../admin-contract.ts'
import { ownerName } from '../../rules.ts'

/** Returns the staff members, owners first, and all roles. */
export async function readStaff(db: Db): Promise<Staff> {
  const [members, roles] = await Promise.all([
    db
      .select({
        id: users.id,
        username: users.username,
        email: users.email,
        staffRoleId: users.staffRoleId,
        roleName: sql<string>`coalesce(${staffRoles.name}, ${ownerName})`,
        twoFactor: sql<boolean>`exists (select from two_factor where user_id = ${users.id} and confirmed_at is not null)`,
        lastSeenAt: sql<
          string | null
        >`(select max(last_seen_at) from sessions where user_id = ${users.id} and expires_at > now())`.mapWith(
          users.createdAt,
        ),
      })
      .from(users)
      .leftJoin(staffRoles, eq(staffRoles.id, users.staffRoleId))
      // A literal instead of a parameter, so that PostgreSQL can use the partial index of administrators.
      .where(sql`${users.role} = 'admin'`)
      .orderBy(sql`${users.staffRoleId} is not null`, sql`lower(${users.username})`)
      .limit(limits.lists.maximum),
    rolesWhere(db, sql`true`),
  ])
  return { members, roles }
}

/** Returns a role. Throws 404 for an unknown id. */
export async function roleById(db: Db | Tx, id: number): Promise<StaffRoleRow> {
  const [role] = await rolesWhere(db, eq(staffRoles.id, id))
  return role ?? notFound('Role not found')
}

async function rolesWhere(db: Db | Tx, condition: ReturnType<typeof eq>): Promise<StaffRoleRow[]> {
  const rows = await db
    .select({
      id: staffRoles.id,
      key: staffRoles.key,
      name: staffRoles.name,
      description: staffRoles.description,
      version: staffRoles.version,
      granted: sql<string[]>`array(select permission from staff_role_permissions where role_id = staff_roles.id)`,
      members: sql<number>`(select count(*)::int from users where users.staff_role_id = staff_roles.id)`,
    })
    .from(staffRoles)
    .where(condition)
    .orderBy(sql`${staffRoles.key} is null`, asc(staffRoles.id))
    .limit(limits.lists.maximum)
  return rows.map(({ granted, ...role }) => ({ ...role, permissions: permissionsOfRole(role.key, granted) }))
}

/** Returns the permissions of a role in the order in which they are shown. Leaves out names that this release does not define. */
const permissionsOfRole = (key: string | null, granted: string[]): GrantablePermission[] => {
  const names: readonly string[] = (key && builtInRoles[key]) || granted
  return grantablePermissions.filter((permission) => names.includes(permission))
}
