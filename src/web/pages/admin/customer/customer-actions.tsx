import { lazy, Suspense } from 'react'
import type { Customer } from '#features/customers/admin-contract.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useOpenDialog } from '../../../ui/dialog/use-open-dialog.ts'
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

/** The actions for this customer, with the same dialogs as in the lists. */
export function CustomerActions({ user }: Pick<Customer, 'user'>) {
  const [opened, open] = useOpenDialog<Action>()
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
        {opened?.subject === 'twoFactor' && <TwoFactor key={opened.openCount} user={user} />}
        {opened?.subject === 'subscription' && (
          <Subscription key={opened.openCount} opened={user} current={user} returnTo={opened.returnTo} />
        )}
        {opened?.subject === 'credit' && <Credit key={opened.openCount} user={user} returnTo={opened.returnTo} />}
        {opened?.subject === 'role' && <Role key={opened.openCount} opened={user} returnTo={opened.returnTo} />}
        {opened?.subject === 'password' && <Password key={opened.openCount} opened={user} returnTo={opened.returnTo} />}
      </Suspense>
    </div>
  )
}
