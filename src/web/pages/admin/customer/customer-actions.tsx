import { Ellipsis, Mail } from 'lucide-react'
import { lazy, Suspense, useRef } from 'react'
import type { Customer } from '#features/customers/admin-contract.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { useMay } from '#web/ui/permission/use-may.ts'
import { ViewAsCustomerButton } from './view-as-customer-button.tsx'

const Subscription = lazy(() =>
  import('#features/subscriptions/web/admin-subscription-dialog.tsx').then((module) => ({
    default: module.AdminSubscriptionDialog,
  })),
)
const Credit = lazy(() =>
  import('#features/referrals/web/admin-credit-dialog.tsx').then((module) => ({ default: module.AdminCreditDialog })),
)
const Order = lazy(() =>
  import('#features/billing/web/admin/customer-order-dialog.tsx').then((module) => ({
    default: module.CustomerOrderDialog,
  })),
)
const GiveDays = lazy(() =>
  import('#features/subscriptions/web/gifts/admin-give-days-dialog.tsx').then((module) => ({
    default: module.AdminGiveDaysDialog,
  })),
)
const Move = lazy(() =>
  import('#features/subscriptions/web/gifts/admin-move-dialog.tsx').then((module) => ({
    default: module.AdminMoveDialog,
  })),
)
const UndoCreation = lazy(() =>
  import('#features/accounts/web/undo-creation-dialog.tsx').then((module) => ({
    default: module.UndoCreationDialog,
  })),
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

const moreActions = {
  order: { label: 'Create Order', needs: 'invoices.edit' },
  days: { label: 'Give Days', needs: 'subscriptions.edit' },
  move: { label: 'Move Subscription', needs: 'subscriptions.edit' },
  credit: { label: 'Adjust Credit', needs: 'credit.edit' },
  creation: { label: 'Undo Creation', needs: 'customers.edit' },
  role: { label: 'Change Role', needs: 'staff.manage' },
  password: { label: 'Reset Password', needs: 'customers.access' },
  twoFactor: { label: 'Reset Two-Step', needs: 'customers.access' },
} as const
type Action = keyof typeof moreActions | 'subscription'
const menuId = 'customer-more'

/** The actions for this customer, with the same dialogs as in the lists. */
export function CustomerActions({ user }: Pick<Customer, 'user'>) {
  const may = useMay()
  // Only owners may change the accounts of other staff members.
  const mayChangeAccount = user.role === 'user' || may('staff.manage')
  const actions = (Object.keys(moreActions) as (keyof typeof moreActions)[]).filter(
    (action) =>
      may(moreActions[action].needs) &&
      // Only an account without a subscription can be removed.
      (action !== 'creation' || (user.role === 'user' && user.planId === null)) &&
      (mayChangeAccount || (action !== 'password' && action !== 'twoFactor')),
  )
  const [opened, open] = useOpenDialog<Action>()
  const moreButton = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  return (
    <>
      <ButtonAnchor variant="line" href={`mailto:${encodeURIComponent(user.email)}`}>
        <Mail size={18} />
        Email
      </ButtonAnchor>
      {user.role === 'user' && may('customers.view_as') && <ViewAsCustomerButton userId={user.id} />}
      {may('subscriptions.edit') && (
        <Button
          variant="ink"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => open('subscription', currentTarget)}
        >
          Manage Subscription
        </Button>
      )}
      {actions.length > 0 && (
        <Button ref={moreButton} variant="line" icon aria-label="More actions" popoverTarget={menuId}>
          <Ellipsis size={20} />
        </Button>
      )}
      <div id={menuId} ref={menu} popover="auto" className="customer-more">
        <ul aria-label="More actions">
          {actions.map((action) => (
            <li key={action}>
              <button
                type="button"
                aria-haspopup="dialog"
                onClick={() => {
                  menu.current?.hidePopover()
                  open(action, moreButton.current!)
                }}
              >
                {moreActions[action].label}
              </button>
            </li>
          ))}
        </ul>
      </div>
      <Suspense>
        {opened?.subject === 'twoFactor' && <TwoFactor key={opened.openCount} user={user} />}
        {opened?.subject === 'subscription' && (
          <Subscription key={opened.openCount} opened={user} current={user} returnTo={opened.returnTo} />
        )}
        {opened?.subject === 'order' && <Order key={opened.openCount} user={user} returnTo={opened.returnTo} />}
        {opened?.subject === 'days' && <GiveDays key={opened.openCount} user={user} returnTo={opened.returnTo} />}
        {opened?.subject === 'move' && <Move key={opened.openCount} user={user} returnTo={opened.returnTo} />}
        {opened?.subject === 'credit' && <Credit key={opened.openCount} user={user} returnTo={opened.returnTo} />}
        {opened?.subject === 'creation' && (
          <UndoCreation key={opened.openCount} user={user} returnTo={opened.returnTo} />
        )}
        {opened?.subject === 'role' && <Role key={opened.openCount} opened={user} returnTo={opened.returnTo} />}
        {opened?.subject === 'password' && <Password key={opened.openCount} opened={user} returnTo={opened.returnTo} />}
      </Suspense>
    </>
  )
}
