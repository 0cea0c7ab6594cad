import { lazy, Suspense, useState } from 'react'
import type { Customer } from '#features/customers/contract.ts'
import { Button } from '#web/ui/button.tsx'
import { ViewAsCustomerButton } from './view-as-customer-button.tsx'

const Subscription = lazy(() =>
  import('#features/subscriptions/web/admin-subscription-dialog.tsx').then((module) => ({ default: module.AdminSubscriptionDialog })),
)
const Credit = lazy(() => import('#features/referrals/web/admin-credit-dialog.tsx').then((module) => ({ default: module.AdminCreditDialog })))
const Role = lazy(() => import('#features/accounts/web/admin-role-dialog.tsx').then((module) => ({ default: module.AdminRoleDialog })))
const Password = lazy(() => import('#features/accounts/web/admin-password-dialog.tsx').then((module) => ({ default: module.AdminPasswordDialog })))
const TwoFactor = lazy(() => import('#features/two-factor/web/reset-two-factor-dialog.tsx').then((module) => ({ default: module.ResetTwoFactorDialog })))

const actions = {
  subscription: 'Manage Subscription',
  credit: 'Adjust Credit',
  role: 'Change Role',
  password: 'Reset Password',
  twoFactor: 'Reset Two-Step',
} as const
type Action = keyof typeof actions

/** What an administrator can do for this person: the dialogs of the lists, at one place. */
export function CustomerActions({ user }: Pick<Customer, 'user'>) {
  const [opened, setOpened] = useState<{ action: Action; button: HTMLElement; turn: number }>()
  const returnTo = () => opened?.button ?? null
  return (
    <div className="flex flex-wrap gap-2.5">
      {(Object.keys(actions) as Action[]).map((action) => (
        <Button
          key={action}
          variant={action === 'subscription' ? 'ink' : 'line'}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => setOpened((before) => ({ action, button: currentTarget, turn: (before?.turn ?? 0) + 1 }))}
        >
          {actions[action]}
        </Button>
      ))}
      {user.role === 'user' && <ViewAsCustomerButton userId={user.id} />}
      <Suspense>
        {opened?.action === 'twoFactor' && <TwoFactor key={opened.turn} user={user} />}
        {opened?.action === 'subscription' && <Subscription key={opened.turn} opened={user} current={user} returnTo={returnTo} />}
        {opened?.action === 'credit' && <Credit key={opened.turn} user={user} returnTo={returnTo} />}
        {opened?.action === 'role' && <Role key={opened.turn} user={user} returnTo={returnTo} />}
        {opened?.action === 'password' && <Password key={opened.turn} user={user} returnTo={returnTo} />}
      </Suspense>
    </div>
  )
}
