import { Badge } from '#web/ui/badge.tsx'
import type { User } from '../contract.ts'

export function RoleBadge({ role, staff }: Pick<User, 'role' | 'staff'>) {
  if (staff) return <Badge variant="secondary">{staff.name}</Badge>
  return role === 'admin' ? <Badge variant="solid">Admin</Badge> : <Badge>User</Badge>
}
