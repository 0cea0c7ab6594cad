import { describe, expect, test } from 'vitest'
import { auditActions } from '#features/audit/rules.ts'
import type { TimelineEntry } from './admin-timeline-contract.ts'
import { auditPhrase } from './audit-phrase-rules.ts'
import { type ComingUpFacts, comingUp } from './coming-up-rules.ts'
import type { AuditFacts } from './phrase-rules.ts'
import { addEntry, groupOfPrefix, operatorPrefixes } from './timeline-rules.ts'

const facts: AuditFacts = {
  actor: 'june',
  isOwn: false,
  before: null,
  after: null,
  invoice: null,
  report: null,
  planNames: new Map([[3, 'Beast']]),
}
const wordsOf = (action: string, of: Partial<AuditFacts> = {}) => {
  const { title, detail } = auditPhrase(action, { ...facts, ...of })
  return detail === null ? title : `${title} | ${detail}`
}
const notPlain = /\d{4}-\d\d-\d\dT|→|\bversion\b|[a-z][A-Z]|[{}[\]]|\b\w+_\w+\b|\bnull\b|\bundefined\b|NaN/

describe('the timeline text of the action', () => {
  test.each(auditActions)('%s is in plain words, without and with values', (action) => {
    const values = {
      status: 'paid',
      version: 3,
      paidAt: '2026-11-26T10:00:00.000Z',
      until: '2026-11-26T10:00:00.000Z',
      endDate: '2026-11-26T10:00:00.000Z',
      expiryDate: '2026-11-26T10:00:00.000Z',
      planId: 3,
      job: 2,
      connections: 2,
      subscription: { planId: 3 },
      role: 'admin',
    }
    const invoice = { number: 'ORD-B8ZRNP', amount: 5_999 }
    for (const known of [{}, { before: values, after: values, invoice, report: 'Harbor Sports 2' }]) {
      expect(wordsOf(action, known)).not.toMatch(notPlain)
      expect(wordsOf(action, known)).toMatch(/^[A-Z]/)
    }
    expect([...Object.keys(groupOfPrefix), ...operatorPrefixes]).toContain(action.split('.')[0])
  })

  test.each([
    [
      'invoice.confirm',
      { after: { amount: 5_999, status: 'paid', version: 4 }, invoice: { number: 'ORD-W3XMTK', amount: 1 } },
      'Payment of $59.99 confirmed | ORD-W3XMTK, confirmed by june',
    ],
    [
      'invoice.reject',
      { after: { reason: 'No such code' }, invoice: { number: 'ORD-W3XMTK', amount: 1 } },
      'Payment for ORD-W3XMTK rejected | “No such code”, by june',
    ],
    [
      'line.extend',
      { actor: null, after: { username: 'priyan_tv', until: '2026-11-26T23:59:59.000Z', connections: 2 } },
      'Line priyan_tv extended to Nov 26, 2026 | Confirmed by the panel, until Nov 26, 2026, 2 connections',
    ],
    ['line.settle', { before: { job: 2 } }, 'Line marked as done | Done in the panel by june'],
    [
      'subscription.expire',
      { actor: null, before: { subscriptionEndDate: '2026-11-26T23:59:59.000Z' } },
      'Subscription ended | Paid until Nov 26, 2026',
    ],
    [
      'user.update_subscription',
      { after: { planId: 3, status: 'active', endDate: '2026-11-26T23:59:59.000Z' } },
      'Subscription changed | Beast, Active, until Nov 26, 2026, by june',
    ],
    [
      'user.update_subscription',
      { after: { planId: null, endDate: null } },
      'Subscription changed | No plan, no end date, by june',
    ],
    [
      'user.adjust_credit',
      { before: { accountCredit: 500 }, after: { accountCredit: 200, reason: 'A mistake' } },
      'Account credit adjusted by -$3.00 | “A mistake”, the credit was then $2.00, by june',
    ],
    ['user.update_role', { after: { role: 'admin' } }, 'Role changed to Administrator | By june'],
    [
      'user.update_profile',
      { isOwn: true, before: { email: 'a@x.org' }, after: { email: 'b@x.org' } },
      'Profile changed | Email a@x.org is now b@x.org',
    ],
    [
      'report.update',
      { before: { status: 'pending' }, after: { status: 'resolved' }, report: 'Harbor Sports 2' },
      'Report of Harbor Sports 2 is now Resolved | By june',
    ],
    ['payment.of_an_older_version', {}, 'Payment of an older version | By june'],
  ] as const)('%s', (action, of, words) => expect(wordsOf(action, of as Partial<AuditFacts>)).toBe(words))
})

describe('identical events', () => {
  const entry = (id: string, at: string, more: Partial<TimelineEntry> = {}): TimelineEntry => ({
    id,
    at: `2026-11-26T10:${at}.000Z`,
    group: 'account',
    tone: 'plain',
    title: 'Logged in',
    detail: null,
    count: 1,
    invoiceNumber: null,
    open: null,
    ...more,
  })
  const folded = (...entries: TimelineEntry[]) => {
    const result: TimelineEntry[] = []
    for (const each of entries) addEntry(result, each)
    return result.map(({ id, count }) => `${id} ${count}`)
  }
  test('within a minute are one entry, even with other events between them', () =>
    expect(
      folded(entry('a', '05:00'), entry('b', '04:30', { title: 'Password changed' }), entry('c', '04:00')),
    ).toEqual(['a 2', 'b 1']))
  test('more than a minute apart stay separate entries', () =>
    expect(folded(entry('a', '05:00'), entry('b', '03:59'))).toEqual(['a 1', 'b 1']))
  test('with an open action stay separate entries', () => {
    const open = { kind: 'report', id: 1, action: 'Update Status' } as const
    expect(folded(entry('a', '05:00', { open }), entry('b', '05:00', { open }))).toEqual(['a 1', 'b 1'])
  })
})

describe('the upcoming events', () => {
  const quiet: ComingUpFacts = {
    now: '2026-11-10T00:00:00.000Z',
    endsAt: null,
    renewal: null,
    openInvoices: [],
    hasRenewalInvoice: false,
    hasLine: false,
    segments: [],
    trialEndsAt: null,
    bonuses: [],
    settings: { daysAhead: 10, reminderDays: [7, 3, 1], reminderHours: 24, graceDays: 3 },
  }
  const list = (of: Partial<ComingUpFacts>) =>
    comingUp({ ...quiet, ...of }).map(({ at, title, detail }) =>
      [at.slice(5, 16), title, detail].filter(Boolean).join(' | '),
    )

  test('are empty without a subscription, an order or a trial', () => expect(list({})).toEqual([]))
  test('are the renewal, the reminders, the end and the end of the grace period, in order', () =>
    expect(
      list({ endsAt: '2026-11-26T12:00:00.000Z', hasLine: true, renewal: { planName: 'Beast', price: 5_999 } }),
    ).toEqual([
      '11-16T12:00 | Renewal invoice of $59.99 | For Beast',
      '11-19T12:00 | Reminder: the subscription ends in 7 days | Not sent while a payment waits for confirmation',
      '11-23T12:00 | Reminder: the subscription ends in 3 days | Not sent while a payment waits for confirmation',
      '11-25T12:00 | Reminder: the subscription ends in 1 day | Not sent while a payment waits for confirmation',
      '11-26T12:00 | Subscription ends | 3 days of grace, then the line is disabled',
      '11-29T12:00 | Line is disabled',
    ]))
  test('leave out what is over or already exists', () =>
    expect(
      list({
        now: '2026-11-25T13:00:00.000Z',
        endsAt: '2026-11-26T12:00:00.000Z',
        renewal: { planName: 'Beast', price: 5_999 },
        hasRenewalInvoice: true,
        trialEndsAt: '2026-11-25T12:00:00.000Z',
      }),
    ).toEqual(['11-26T12:00 | Subscription ends']))
  test('include open orders with their reminder, later plans, trials and bonuses', () =>
    expect(
      list({
        openInvoices: [
          {
            invoiceNumber: 'ORD-AAAAAA',
            amount: 100,
            expiresAt: '2026-11-12T00:00:00.000Z',
            isSubmitted: false,
            isReminded: true,
          },
          {
            invoiceNumber: 'ORD-BBBBBB',
            amount: 200,
            expiresAt: '2026-11-13T00:00:00.000Z',
            isSubmitted: true,
            isReminded: false,
          },
        ],
        segments: [{ planName: 'Little Beast', connections: 1, startsAt: '2026-11-14T00:00:00.000Z' }],
        trialEndsAt: '2026-11-15T00:00:00.000Z',
        bonuses: [{ amount: 900, availableAt: '2026-11-16T00:00:00.000Z' }],
      }),
    ).toEqual([
      '11-11T00:00 | Reminder: order ORD-AAAAAA is not paid',
      '11-12T00:00 | Invoice ORD-AAAAAA expires | $1.00, unless it is paid',
      '11-13T00:00 | Invoice ORD-BBBBBB expires | $2.00, unless the payment is confirmed',
      '11-14T00:00 | Little Beast begins | The line changes to 1 connection',
      '11-15T00:00 | Trial ends',
      '11-16T00:00 | Referral bonus of $9.00 becomes credit | The guarantee of the payment that earned it ends',
    ]))
})
