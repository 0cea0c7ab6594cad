import type { ReactNode } from 'react'
import { roleNames } from '#features/accounts/rules.ts'
import { methodNames } from '#features/billing/rules.ts'
import type { Customer } from '#features/customers/admin-contract.ts'
import { Card } from '#web/ui/card.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { UserLink } from '#web/ui/user-link.tsx'

/** Facts about the customer's payments and account. */
export function CustomerFacts({ customer }: { customer: Customer }) {
  const { user, paid, sessions, referredBy, referred, sameMailbox, twoFactor, passkeys } = customer
  return (
    <>
      {paid && (
        <Card title="How they pay" titleId="customer-payments">
          <dl className="customer-facts">
            <Fact label="Method">{paid.method ? methodNames[paid.method] : 'No payment yet'}</Fact>
            <Fact label="Last payment">
              <DateText value={paid.lastPaidAt} />
            </Fact>
            <Fact label="Payments">{paid.payments}</Fact>
            <Fact label="Refunds">{paid.refunds === 0 ? 'None' : paid.refunds}</Fact>
          </dl>
        </Card>
      )}
      <Card title="Account" titleId="customer-account">
        <dl className="customer-facts">
          <Fact label="ID">{user.id}</Fact>
          <Fact label="Full name">{user.fullName ?? '-'}</Fact>
          <Fact label="Role">{user.staff?.name ?? roleNames[user.role]}</Fact>
          <Fact label="Customer since">
            <DateText value={user.createdAt} />
          </Fact>
          <Fact label="Password">
            {user.mustChangePassword ? 'Set by an administrator, must be changed' : 'Set by the customer'}
          </Fact>
          <Fact label="Second step">{twoFactor ? 'On' : 'Off'}</Fact>
          <Fact label="Passkeys">{passkeys === 0 ? 'None' : passkeys}</Fact>
          <Fact label="Open sessions">{sessions}</Fact>
          <Fact label="Referral code">{user.referralCode}</Fact>
          <Fact label="Referred by">{referredBy ? <UserLink {...referredBy} /> : '-'}</Fact>
          <Fact label="Customers referred">{referred}</Fact>
          <Fact label="Same mailbox">
            {sameMailbox.length === 0
              ? 'No other account'
              : sameMailbox.map((account) => (
                  <span key={account.id} className="block">
                    <UserLink id={account.id} username={account.username} email={account.email} />
                  </span>
                ))}
          </Fact>
        </dl>
      </Card>
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  )
}
