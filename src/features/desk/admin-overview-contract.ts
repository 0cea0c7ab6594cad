// Admin endpoints of the overview cards beside the queue: figures, activity, promises kept and the setup steps.
import * as z from 'zod/mini'
import { get, type Output } from '#kit/endpoint.ts'
import { cents, id, instant } from '#kit/text.ts'
import { promisedKinds } from './queue-rules.ts'

/** A figure by day. `days` ends with today until now. `before` is the value of the same hours a week ago. */
const daily = z.object({ today: z.int(), before: z.int(), days: z.array(z.int()) })
export type DailyFigure = z.output<typeof daily>
/** The number of days in `days` of a figure. */
export const figureDays = 14
export const getFigures = get('/api/admin/desk/figures', {
  summary: 'Today’s figures, each compared with the same hours a week ago',
  access: 'admin',
  needs: 'insight.read',
  dependsOn: ['invoice', 'subscription', 'trial_request', 'user'],
  query: z.object({
    /** The minutes by which the administrator's clock is ahead of UTC. Days end at the administrator's midnight. */
    offset: z.optional(z.coerce.number<string | number>().check(z.int(), z.gte(-840), z.lte(840))),
  }),
  output: z.object({
    now: instant,
    /** The sum of the paid invoices in cents, by payment date. */
    collected: daily,
    accounts: daily,
    trials: z.extend(daily, { open: z.int() }),
    /** Active subscriptions: how many there are, how many ended today, and how many there were at the end of each recent day (UTC). */
    active: z.object({ count: z.int(), endedToday: z.int(), days: z.array(z.int()) }),
    /** The number of subscriptions that end in the next seven days, today, and on each of the coming days. `days` begins with today. */
    renewals: z.object({ week: z.int(), today: z.int(), days: z.array(z.int()) }),
  }),
})
export type Figures = Output<typeof getFigures>

const person = z.nullable(z.object({ id, username: z.string() }))
export const activityEvents = ['audit', 'registration', 'payment', 'card_order', 'trial', 'report', 'inquiry'] as const
const activityEntry = z.object({
  key: z.string(),
  at: instant,
  event: z.enum(activityEvents),
  /** Null for the system and for visitors. */
  actor: person,
  /** The audited action; empty for other events. */
  action: z.string(),
  targetType: z.string(),
  targetId: z.string(),
  /** A username, an invoice number, or the name of the content or visitor. */
  targetLabel: z.nullable(z.string()),
  /** The username of the customer, if the target is an invoice. */
  customer: z.nullable(z.string()),
  amount: z.nullable(cents),
})
export type ActivityEntry = z.output<typeof activityEntry>
export const getActivity = get('/api/admin/desk/activity', {
  summary: 'The newest events: audited actions, registrations, payments, requests and messages',
  access: 'admin',
  needs: 'audit.read',
  dependsOn: [
    'user',
    'subscription',
    'credit',
    'invoice',
    'refund',
    'trial_request',
    'report',
    'inquiry',
    'ticket',
    'line_job',
    'line_drift',
    'panel',
    'setting',
    'plan',
    'channel',
    'faq',
    'device_category',
    'setup_guide',
    'two_factor',
    'installation',
    'viewing',
  ],
  output: z.array(activityEntry),
})

export const getPromises = get('/api/admin/desk/promises', {
  summary: 'How much of the work of the last seven days was done within its promised time, by kind',
  access: 'admin',
  needs: 'desk.use',
  dependsOn: ['invoice', 'trial_request', 'report', 'inquiry', 'ticket', 'line_job', 'setting'],
  output: z.array(
    z.object({
      kind: z.enum(promisedKinds),
      /** How many were decided in the last seven days, counting at most the newest 1,000. */
      done: z.int(),
      /** How many of these were decided within the promised time. */
      inTime: z.int(),
    }),
  ),
})
export type PromisedTimes = Output<typeof getPromises>

export const setupSteps = ['brand', 'mail', 'payments', 'panel', 'second_step'] as const
export type SetupStep = (typeof setupSteps)[number]
export const getSetup = get('/api/admin/desk/setup', {
  summary: 'Which setup steps are done. Two-step verification is that of the administrator who asks',
  access: 'admin',
  needs: 'settings.read',
  dependsOn: ['setting', 'panel', 'two_factor', 'passkey', 'invoice'],
  output: z.object({
    done: z.array(z.enum(setupSteps)),
    /** Whether no order has been placed yet. */
    isNew: z.boolean(),
  }),
})
export type Setup = Output<typeof getSetup>
