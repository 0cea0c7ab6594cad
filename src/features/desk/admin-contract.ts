// Admin endpoints of the operator's desk: what waits for an administrator.
import * as z from 'zod/mini'
import { subscriptionStatus } from '#features/accounts/contract.ts'
import { adminInvoice } from '#features/billing/admin-contract.ts'
import { get, type Output } from '#kit/endpoint.ts'
import { id, instant, singleLine } from '#kit/text.ts'
import { type WorkKind, workKinds } from './rules.ts'

const waitingWork = z.object({
  count: z.int(),
  /** `count` is a lower bound. */
  isMinimum: z.boolean(),
  /** Since when the oldest of them waits; null when none waits. */
  oldest: z.nullable(instant),
  /** Within how many minutes this work is promised to be done. */
  promiseMinutes: z.int(),
})
export const getWorkCounts = get('/api/admin/desk/counts', {
  summary: 'How much work of each kind waits for an administrator, and since when',
  access: 'admin',
  needs: 'desk.use',
  dependsOn: ['invoice', 'payment', 'trial_request', 'report', 'inquiry', 'ticket', 'line_job', 'setting'],
  output: z.object(
    Object.fromEntries(workKinds.map((kind) => [kind, waitingWork])) as Record<WorkKind, typeof waitingWork>,
  ),
})
export type WorkCounts = Output<typeof getWorkCounts>

export const getHealth = get('/api/admin/desk/health', {
  summary: 'The state of the panel, the email, the payment mailbox and the backup',
  access: 'admin',
  needs: 'desk.use',
  dependsOn: ['line_job', 'panel', 'mail', 'mailbox', 'setting', 'installation'],
  output: z.object({
    panel: z.nullable(z.object({ downSince: z.nullable(instant) })),
    mail: z.object({ isSetUp: z.boolean(), failedAt: z.nullable(instant), dueSince: z.nullable(instant) }),
    backup: z.object({ at: z.nullable(instant) }),
    mailbox: z.nullable(z.object({ unreadSince: z.nullable(instant), isPaused: z.boolean() })),
  }),
})

const foundCustomer = z.object({
  id,
  username: z.string(),
  email: z.string(),
  fullName: z.nullable(z.string()),
  subscriptionStatus,
})
const foundTrial = z.object({ id, username: z.string(), requestDate: instant })
export const searchDesk = get('/api/admin/desk/search', {
  summary:
    'The customers, invoices and open trial requests that match a text best; without one, the work that waits longest',
  access: 'admin',
  needs: 'desk.use',
  dependsOn: ['user', 'subscription', 'invoice', 'trial_request'],
  query: z.object({ search: z.optional(singleLine(3, 254, 'Please enter at least 3 characters')) }),
  output: z.object({
    customers: z.array(foundCustomer),
    invoices: z.array(adminInvoice),
    /** Pending requests. */
    trials: z.array(foundTrial),
  }),
})
export type DeskResults = Output<typeof searchDesk>
