import * as z from 'zod/mini'
import { adminUser } from '#features/accounts/admin-contract.ts'
import { paymentMethod } from '#features/billing/contract.ts'
import { pendingBonus } from '#features/referrals/contract.ts'
import { paidTime } from '#features/subscriptions/contract.ts'
import { get, type Output, post } from '#kit/endpoint.ts'
import { cents, id, idParam, instant, singleLine } from '#kit/text.ts'

const userName = z.object({ id, username: z.string() })

/** The state of one user for administrators. The history is in the timeline. */
export const customer = z.object({
  user: adminUser,
  emailVerifiedAt: z.nullable(instant),
  twoFactor: z.boolean(),
  passkeys: z.int(),
  /** Number of open sessions; `lastSeenAt` is when one was last used. */
  sessions: z.int(),
  lastSeenAt: z.nullable(instant),
  referredBy: z.nullable(userName),
  /** How many customers registered with this user's referral code. */
  referred: z.int(),
  /** Other accounts whose email address belongs to the same mailbox. */
  sameMailbox: z.array(z.extend(userName, { email: z.string() })),
  plan: z.nullable(z.object({ tier: z.int(), months: z.int(), connections: z.int(), price: cents })),
  /** Null for readers who may not see invoices. */
  paid: z.nullable(
    z.object({
      /** The sum of paid invoices; refunded invoices are not included. */
      total: cents,
      payments: z.int(),
      refunds: z.int(),
      /** The method of the last payment. */
      method: z.nullable(paymentMethod),
      lastPaidAt: z.nullable(instant),
    }),
  ),
  /** Referral bonuses that become credit once the guarantee of the payment has ended. */
  pendingBonuses: z.array(pendingBonus),
  /** The remaining paid time: one segment per plan and period. */
  time: z.array(paidTime),
  reports: z.object({ total: z.int(), open: z.int() }),
})
export const getCustomer = get('/api/admin/users/:userId', {
  summary: 'The state of one user: subscription, payments, account',
  access: 'admin',
  needs: 'customers.read',
  dependsOn: ['user', 'subscription', 'credit', 'invoice', 'refund', 'iptv_account', 'report', 'two_factor', 'passkey'],
  params: z.object({ userId: idParam }),
  output: customer,
})
export type Customer = Output<typeof getCustomer>

/** The fields of an internal note. */
export const customerNoteForm = z.object({ note: singleLine(1, 1000, 'Please enter a note') })
export const addCustomerNote = post('/api/admin/users/:userId/notes', {
  summary: 'Add an internal note about a user to the audit log. The user never sees it',
  access: 'admin',
  needs: 'customers.edit',
  limit: 'adminWrite',
  params: z.object({ userId: idParam }),
  body: customerNoteForm,
  output: z.object({ added: z.boolean() }),
})
