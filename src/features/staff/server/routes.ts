import { type NewRole, setRole } from '#features/accounts/server/service/set-role.ts'
import type { Config } from '#server/config.ts'
import { implement, type Route } from '#server/http/route.ts'
import type { SessionUser } from '#server/session/session.ts'
import * as contract from '../admin-contract.ts'
import { addMember } from './service/add-member.ts'
import { readStaff } from './service/read-staff.ts'
import { createRole, deleteRole, updateRole } from './service/save-role.ts'

const roleOf = (role: 'owner' | 'none' | number): NewRole =>
  role === 'none' ? 'customer' : role === 'owner' ? role : { staffRoleId: role }
const actorOf = ({ config, user, requestId }: { config: Config; user: SessionUser; requestId: string }) => ({
  admin: user,
  requestId,
  needsSecond: config.selfApproval === 'deny',
})

export const routes: Route[] = [
  implement(contract.getStaff, ({ db }) => readStaff(db)),
  implement(contract.addMember, ({ body, ...ctx }) => addMember(ctx.db, body.account, roleOf(body.role), actorOf(ctx))),
  implement(contract.changeMember, ({ params, body, ...ctx }) =>
    setRole(ctx.db, params.userId, roleOf(body.role), actorOf(ctx)),
  ),
  implement(contract.createStaffRole, ({ body, ...ctx }) => createRole(ctx.db, body, actorOf(ctx))),
  implement(contract.updateStaffRole, ({ params, body, ...ctx }) =>
    updateRole(ctx.db, params.roleId, body, actorOf(ctx)),
  ),
  implement(contract.deleteStaffRole, ({ params, query, ...ctx }) =>
    deleteRole(ctx.db, params.roleId, query.version, actorOf(ctx)),
  ),
]
