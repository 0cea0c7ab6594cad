// The timeline of one customer for administrators: what happened, merged from all features, and what scheduled jobs will do.
import * as z from 'zod/mini'
import { get, type Output } from '#kit/endpoint.ts'
import { idParam, instant } from '#kit/text.ts'

/** The filters of the timeline. Every entry belongs to one of them. */
export const timelineGroups = ['money', 'line', 'requests', 'emails', 'account'] as const
export type TimelineGroup = (typeof timelineGroups)[number]
/** Entries are counted up to one more than this. A count above it is shown as `99+`. */
export const maxCounted = 99

/** What an administrator can still do about an entry, and the id of the row that the dialog for it shows. */
const openItem = z.object({
  kind: z.enum(['invoice', 'report', 'trial', 'line', 'inquiry', 'edit']),
  id: z.int(),
  /** The label of the button. */
  action: z.string(),
})
export type OpenItem = z.output<typeof openItem>

export const timelineEntry = z.object({
  /** Unique within the timeline: the source and the id of its row. */
  id: z.string(),
  at: instant,
  group: z.enum(timelineGroups),
  tone: z.enum(['plain', 'ok', 'warn', 'bad']),
  title: z.string(),
  detail: z.nullable(z.string()),
  /** The number of identical events within a minute that the entry combines. */
  count: z.int(),
  /** The invoice that the entry links to. */
  invoiceNumber: z.nullable(z.string()),
  open: z.nullable(openItem),
})
export type TimelineEntry = z.output<typeof timelineEntry>

const comingUp = z.object({ at: instant, title: z.string(), detail: z.nullable(z.string()) })
export type ComingUp = z.output<typeof comingUp>

/** A position in the timeline: for each source, the key of the last row that was read. */
const position = z
  .string()
  .check(z.maxLength(500), z.regex(/^[a-z]+-\d{1,18}(_\d{1,10})?(\.[a-z]+-\d{1,18}(_\d{1,10})?)*$/))

export const getTimeline = get('/api/admin/users/:userId/timeline', {
  summary: 'The history of a customer, newest first, and what the scheduled jobs will do',
  access: 'admin',
  needs: 'customers.read',
  dependsOn: [
    'user',
    'user_note',
    'subscription',
    'credit',
    'invoice',
    'payment',
    'refund',
    'iptv_account',
    'line_job',
    'trial_request',
    'report',
    'inquiry',
    'ticket',
    'mail',
    'passkey',
    'two_factor',
    'viewing',
  ],
  params: z.object({ userId: idParam }),
  query: z.object({
    filter: z.optional(z.enum(timelineGroups)),
    /** `next` of the previous page. */
    before: z.optional(position),
  }),
  output: z.object({
    entries: z.array(timelineEntry),
    /** The position of the next page; null on the last one. */
    next: z.nullable(z.string()),
    /** Only on the first page: the next events in ascending order. */
    comingUp: z.array(comingUp),
    /** Only on the first page: the number of events by filter, each up to `maxCounted` + 1. */
    counts: z.nullable(
      z.object(
        Object.fromEntries(timelineGroups.map((group) => [group, z.int()])) as Record<
          TimelineGroup,
          ReturnType<typeof z.int>
        >,
      ),
    ),
  }),
})
export type Timeline = Output<typeof getTimeline>
