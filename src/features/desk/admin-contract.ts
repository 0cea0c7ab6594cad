// Admin endpoints of the desk: counts of waiting work, health and search.
import * as z from 'zod/mini'
import { subscriptionStatus } from '#features/accounts/contract.ts'
import { adminInvoice } from '#features/billing/admin-contract.ts'
import { get, type Output } from '#kit/endpoint.ts'
import { id, instant, singleLine } from '#kit/text.ts'
import { type WorkKind, workKinds } from './rules.ts'

const waitingWork = z.object({
  count: z.int(),
  /** Whether `count` is a lower bound. */
  isMinimum: z.boolean(),
  /** The time since which the oldest item has been waiting; null if none is waiting. */
  oldest: z.nullable(instant),
  /** The promised turnaround of this work in minutes. */
  promiseMinutes: z.int(),
})
export const getWorkCounts = get('/api/admin/desk/counts', {
  summary: 'How many items of each kind wait for an administrator, and since when the oldest has been waiting',
  access: 'admin',
  needs: 'desk.use',
  dependsOn: ['invoice', 'payment', 'trial_request', 'report', 'inquiry', 'ticket', 'line_job', 'setting'],
  output: z.object(
    Object.fromEntries(workKinds.map((kind) => [kind, waitingWork])) as Record<WorkKind, typeof waitingWork>,
  ),
})
export type WorkCounts = Output<typeof getWorkCounts>

export const getHealth = get('/api/admin/desk/health', {
  summary: 'The state of the panel, email, the payment mailbox and backups',
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
    'The customers, invoices and pending trial requests that match the search text best; without a search text, the work that has been waiting longest',
  access: 'admin',
  needs: 'desk.use',
  dependsOn: ['user', 'subscription', 'invoice', 'trial_request'],
  query: z.object({ search: z.optional(singleLine(3, 254, 'Please enter at least 3 characters')) }),
  output: z.object({
    customers: z.array(foundCustomer),
    invoices: z.array(adminInvoice),
    /** Only pending requests. */
    trials: z.array(foundTrial),
  }),
})
export type DeskResults = Output<typeof searchDesk>
