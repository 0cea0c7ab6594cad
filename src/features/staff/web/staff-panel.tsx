import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useMay } from '#web/ui/permission/use-may.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import { getStaff, type Staff, type StaffRoleRow } from '../admin-contract.ts'

const MemberDialog = lazy(() => import('./member-dialog.tsx').then((module) => ({ default: module.MemberDialog })))
const RoleDialog = lazy(() => import('./role-dialog.tsx').then((module) => ({ default: module.RoleDialog })))

type Member = Staff['members'][number]
/** The member or role that is edited; null to add one. */
type Subject = { member: Member | null } | { role: StaffRoleRow | null }

/** The Staff section of the settings: who works in the admin area, and the roles. Only owners see its content. */
export function StaffPanel() {
  const mayManage = useMay()('staff.manage')
  const staff = useQuery({ ...query(getStaff), enabled: mayManage })
  const [opened, open] = useOpenDialog<Subject>('staff')
  if (!mayManage)
    return (
      <Card title="Staff">
        <p>Only owners can see and manage the staff.</p>
      </Card>
    )
  const { data, error } = staff
  if (error && !data)
    return (
      <Card title="Staff">
        <ErrorState
          title="Error loading data"
          message={messageOf(error)}
          pending={staff.isFetching}
          onRetry={() => void staff.refetch()}
        />
      </Card>
    )
  if (!data)
    return (
      <div role="status" className="grid gap-5">
        <span className="sr-only">Loading…</span>
        <Skeleton className="h-60" />
        <Skeleton className="h-60" />
      </div>
    )
  return (
    <div className="grid min-w-0 gap-5">
      <Card
        title="Staff"
        titleId="staff-members"
        aside={
          <Button variant="ink" size="sm" onClick={({ currentTarget }) => open({ member: null }, currentTarget)}>
            <Plus size={16} /> Add Member
          </Button>
        }
      >
        <ul className="grid gap-4">
          {data.members.map((member) => (
            <li key={member.id} className="flex flex-wrap items-center justify-between gap-3">
              <span className="min-w-0">
                <UserLink id={member.id} username={member.username} email={member.email} />
                <span className="block text-fg-2 text-sm">
                  {member.roleName}, two-step verification {member.twoFactor ? 'on' : 'off'}
                  {member.lastSeenAt && (
                    <>
                      , last seen <DateText value={member.lastSeenAt} look="minute" />
                    </>
                  )}
                </span>
              </span>
              <Button variant="soft" size="sm" onClick={({ currentTarget }) => open({ member }, currentTarget)}>
                Change Role<span className="sr-only"> of {member.username}</span>
              </Button>
            </li>
          ))}
        </ul>
      </Card>
      <Card
        title="Roles"
        titleId="staff-roles"
        aside={
          <Button variant="line" size="sm" onClick={({ currentTarget }) => open({ role: null }, currentTarget)}>
            <Plus size={16} /> Add Role
          </Button>
        }
      >
        <ul className="grid gap-4">
          {data.roles.map((role) => (
            <li key={role.id} className="flex flex-wrap items-center justify-between gap-3">
              <span className="min-w-0">
                <b className="wrap-anywhere">{role.name}</b>
                <span className="block text-fg-2 text-sm">
                  {role.description && `${role.description} `}
                  {role.members === 1 ? '1 member' : `${role.members} members`}
                </span>
              </span>
              <Button variant="soft" size="sm" onClick={({ currentTarget }) => open({ role }, currentTarget)}>
                {role.key === null ? 'Edit' : 'View'}
                <span className="sr-only"> the role {role.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      </Card>
      <Suspense>
        {opened &&
          ('member' in opened.subject ? (
            <MemberDialog
              key={opened.openCount}
              member={opened.subject.member}
              roles={data.roles}
              returnTo={opened.returnTo}
            />
          ) : (
            <RoleDialog key={opened.openCount} role={opened.subject.role} returnTo={opened.returnTo} />
          ))}
      </Suspense>
    </div>
  )
}
