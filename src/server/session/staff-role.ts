import { sql } from 'drizzle-orm'
import { builtInRoles, type StaffRole } from '#kit/permissions.ts'
import { users } from '../db/tables.ts'

// The built-in roles are constants in the statement text. As parameters they would be sent with every execution.
const builtInPermissions = sql
  .join(
    Object.entries(builtInRoles).map(
      ([key, permissions]) => sql`when ${key} then ${JSON.stringify(permissions)}::json`,
    ),
    sql` `,
  )
  .inlineParams()

/** The role of a staff member, for queries that select from `users`; null for customers and owners. */
export const staffRole = sql<StaffRole | null>`case when ${users.staffRoleId} is not null then (
  select json_build_object('key', staff_roles.key, 'name', staff_roles.name, 'permissions', case staff_roles.key ${builtInPermissions} else
    (select coalesce(json_agg(granted.permission order by granted.permission), '[]') from staff_role_permissions granted
      where granted.role_id = staff_roles.id) end)
  from staff_roles where staff_roles.id = ${users.staffRoleId}) end`
