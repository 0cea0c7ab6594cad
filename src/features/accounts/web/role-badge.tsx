import { Badge } from '#web/ui/badge.tsx'
import type { User } from '../contract.ts'

export function RoleBadge({ role }: Pick<User, 'role'>) {
  return role === 'admin' ? <Badge variant="solid">Admin</Badge> : <Badge>User</Badge>
}
