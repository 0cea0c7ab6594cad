import { lazy, Suspense } from 'react'
import type { Customer } from '#features/customers/contract.ts'
import { Button } from '#web/ui/button.tsx'
import { useOpened } from '#web/ui/use-opened.ts'
import { ViewAsCustomerButton } from './view-as-customer-button.tsx'

const Subscription = lazy(() =>
  import('#features/subscriptions/web/admin-subscription-dialog.tsx').then((module) => ({
    default: module.AdminSubscriptionDialog,
  })),
)
const Credit = lazy(() =>
  import('#features/referrals/web/admin-credit-dialog.tsx').then((module) => ({ default: module.AdminCreditDialog })),
)
const Role = lazy(() =>
  import('#features/accounts/web/admin-role-dialog.tsx').then((module) => ({ default: module.AdminRoleDialog })),
)
const Password = lazy(() =>
  import('#features/accounts/web/admin-password-dialog.tsx').then((module) => ({
    default: module.AdminPasswordDialog,
  })),
)
const TwoFactor = lazy(() =>
  import('#features/two-factor/web/reset-two-factor-dialog.tsx').then((module) => ({
    default: module.ResetTwoFactorDialog,
  })),
)

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
  const [opened, open] = useOpened<Action>()
  return (
    <div className="flex flex-wrap gap-2.5">
      {(Object.keys(actions) as Action[]).map((action) => (
        <Button
          key={action}
          variant={action === 'subscription' ? 'ink' : 'line'}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => open(action, currentTarget)}
        >
          {actions[action]}
        </Button>
      ))}
      {user.role === 'user' && <ViewAsCustomerButton userId={user.id} />}
      <Suspense>
        {opened?.about === 'twoFactor' && <TwoFactor key={opened.turn} user={user} />}
        {opened?.about === 'subscription' && (
          <Subscription key={opened.turn} opened={user} current={user} returnTo={opened.returnTo} />
        )}
        {opened?.about === 'credit' && <Credit key={opened.turn} user={user} returnTo={opened.returnTo} />}
        {opened?.about === 'role' && <Role key={opened.turn} opened={user} returnTo={opened.returnTo} />}
        {opened?.about === 'password' && <Password key={opened.turn} opened={user} returnTo={opened.returnTo} />}
      </Suspense>
    </div>
  )
}
