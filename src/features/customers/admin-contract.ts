import * as z from 'zod/mini'
import { adminUser } from '#features/accounts/admin-contract.ts'
import { subscriptionStatus } from '#features/accounts/contract.ts'
import { invoice, refundStatus } from '#features/billing/contract.ts'
import { accountCredit, creditTransaction } from '#features/referrals/contract.ts'
import { report } from '#features/reports/contract.ts'
import { paidTime } from '#features/subscriptions/contract.ts'
import { trialRequest } from '#features/trials/contract.ts'
import { get, type Output } from '#kit/endpoint.ts'
import { id, idText, instant } from '#kit/text.ts'

const userName = z.object({ id, username: z.string() })
const by = z.nullable(z.string())
const fields = z.nullable(z.record(z.string(), z.unknown()))

/** An overview of one user for administrators: the newest rows of each list, and some totals. */
export const customer = z.object({
  user: adminUser,
  emailVerifiedAt: z.nullable(instant),
  /** Number of open sessions; `lastSeenAt` is when one was last used. */
  sessions: z.int(),
  lastSeenAt: z.nullable(instant),
  referredBy: z.nullable(userName),
  /** How many customers registered with this user's referral code. */
  referred: z.int(),
  /** Other accounts whose address belongs to the same mailbox. */
  sameMailbox: z.array(z.extend(userName, { email: z.string() })),
  invoices: z.object({
    total: z.int(),
    rows: z.array(
      z.extend(
        z.pick(invoice, { id: true, invoiceNumber: true, planName: true, amount: true, status: true, createdAt: true }),
        {
          refund: z.nullable(refundStatus),
        },
      ),
    ),
  }),
  credit: z.extend(accountCredit, { transactions: z.array(z.extend(creditTransaction, { createdBy: by })) }),
  /** The remaining paid time: one segment per plan and period. */
  time: z.array(paidTime),
  /** Changes to the subscription by payments and administrators. */
  activations: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(['purchase', 'plan_change', 'grant']),
      createdAt: instant,
      invoiceNumber: z.nullable(z.string()),
      planName: z.nullable(z.string()),
      status: subscriptionStatus,
      endDate: z.nullable(instant),
      createdBy: by,
      reversedAt: z.nullable(instant),
    }),
  ),
  reports: z.object({
    total: z.int(),
    rows: z.array(
      z.pick(report, { id: true, contentName: true, contentType: true, issue: true, status: true, createdAt: true }),
    ),
  }),
  trials: z.array(z.pick(trialRequest, { id: true, device: true, status: true, requestDate: true, expiryDate: true })),
  audit: z.array(z.object({ id: z.int(), at: instant, actor: by, action: z.string(), before: fields, after: fields })),
})
export const getCustomer = get('/api/admin/users/:userId', {
  summary: 'Everything about one user, the newest of each list',
  access: 'admin',
  dependsOn: [
    'user',
    'subscription',
    'credit',
    'invoice',
    'refund',
    'iptv_account',
    'line_job',
    'trial_request',
    'report',
    'viewing',
  ],
  params: z.object({ userId: idText }),
  output: customer,
})
export type Customer = Output<typeof getCustomer>
