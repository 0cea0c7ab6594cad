import { describe, expect, test } from 'vitest'
import type { QueueItem } from './admin-queue-contract.ts'
import { byTimeLeft, groupCases, groupOf, queuePromise } from './queue-rules.ts'
import { actionOf, actsImmediately, detailOf, titleOf } from './queue-text-rules.ts'

const now = new Date('2026-11-24T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
const hours = { verificationHours: 24, cardHours: 1 }

test('entries are sorted by time left: a late card link comes before a payment with three hours left', () => {
  const entry = (key: string, since: string, promiseMinutes: number) => ({ key, since, promiseMinutes })
  const entries = [
    entry('payment:1', ago(21 * 60), 1440),
    entry('card_link:2', ago(74), 60),
    entry('line:3', ago(5), 15),
    entry('card_link:1', ago(74), 60),
  ]
  expect(entries.sort(byTimeLeft).map(({ key }) => key)).toEqual(['card_link:1', 'card_link:2', 'line:3', 'payment:1'])
})

test('an entry is in the group "soon" during the last hour of its promised time, and then in "late"', () => {
  const groups = [61, 60, 0, -1].map((minute) => groupOf({ key: '', since: ago(60 - minute), promiseMinutes: 60 }, now))
  expect(groups).toEqual(['later', 'soon', 'soon', 'late'])
})

test('a burst of reports has a promised time of two hours', () => {
  expect([false, true].map((isBurst) => queuePromise('report', hours, isBurst))).toEqual([1440, 120])
  expect(queuePromise('refund', hours)).toBe(1440)
})

test('reports of one case are one entry that waits from the first report, or from a burst that is due earlier', () => {
  const reported = (id: number, minutes: number, caseId: number | null = 1) => ({ id, caseId, since: ago(minutes) })
  const cases = groupCases(
    [reported(1, 300), reported(2, 250, 2), reported(3, 180), reported(4, 179, null), reported(5, 60)],
    hours,
  )
  expect(cases.map(({ ids, since }) => [ids, since])).toEqual([
    [[1, 3, 5], ago(300)],
    [[2], ago(250)],
    [[4], ago(179)],
  ])
  const burst = [300, 50, 40, 30, 20, 10].map((minutes, index) => reported(index + 1, minutes))
  expect(groupCases(burst, hours)).toMatchObject([{ since: ago(50), isBurst: true }])
})

const waiting = { key: 'x', since: ago(10), promiseMinutes: 60 }
const invoice = {
  ...waiting,
  invoiceId: 1,
  invoiceNumber: 'ORD-T5KZ2M',
  userId: 1,
  username: 'danaw',
  amount: 3899,
  version: 1,
}
const payment: QueueItem = { kind: 'payment', ...invoice, planName: 'Beast', method: 'venmo', flags: [] }
const reports: QueueItem = {
  kind: 'report',
  ...waiting,
  reports: [1],
  caseId: 1,
  reporters: 1,
  userId: 1,
  username: 'danaw',
  contentName: 'City News',
  issue: 'buffering',
}
const trial: QueueItem = {
  kind: 'trial',
  ...waiting,
  requestId: 1,
  version: 1,
  userId: 1,
  username: 'kofi_m',
  device: 'Fire TV',
  isRepeated: false,
  canApprove: true,
}
const line: QueueItem = {
  kind: 'line',
  ...waiting,
  jobId: 1,
  task: 'tries',
  userId: 1,
  username: 'maya',
  invoiceNumber: 'ORD-T5KZ2M',
  message: 'The panel returned 502.',
  canRetry: true,
}
const cases: [item: QueueItem, title: string, detail: string, action: string, atOnce: boolean][] = [
  [payment, 'Payment from danaw', '$38.99 by Venmo for ORD-T5KZ2M. Beast', 'Confirm $38.99', true],
  [
    { ...payment, flags: ['No code', 'Different note'] },
    'Payment from danaw',
    '$38.99 by Venmo for ORD-T5KZ2M. No code, Different note',
    'Review',
    false,
  ],
  [
    { ...payment, amount: 0, method: null },
    'Plan change of danaw',
    'No charge, ORD-T5KZ2M. Beast',
    'Approve Change',
    true,
  ],
  [
    { kind: 'card_link', ...invoice },
    'Card link for danaw',
    'Requested 9:28 AM. ORD-T5KZ2M, $38.99',
    'Send Link',
    false,
  ],
  [line, 'Line failed for maya', 'The panel returned 502. ORD-T5KZ2M', 'Retry Line', true],
  [
    { ...line, task: 'manual', canRetry: false, message: null, invoiceNumber: null },
    'Set up the line of maya',
    'Created 9:28 AM.',
    'Open Task',
    false,
  ],
  [trial, 'Trial for kofi_m', 'Fire TV. First request', 'Approve 24 h', true],
  [{ ...trial, isRepeated: true }, 'Trial for kofi_m', 'Fire TV. Requested a trial before', 'Review', false],
  [{ ...trial, canApprove: false }, 'Trial for kofi_m', 'Fire TV. First request', 'Review', false],
  [reports, 'danaw reports City News', 'Buffering, first reported 9:28 AM', 'Resolve', false],
  [
    { ...reports, reports: [1, 2, 3] },
    '3 reports on City News',
    'Buffering, first reported 9:28 AM',
    'Resolve 3',
    false,
  ],
  [
    { kind: 'inquiry', ...waiting, inquiryId: 1, name: 'Ada Quill', message: 'Two\nhomes? ' },
    'Inquiry from Ada Quill',
    '“Two homes?”',
    'Answer',
    false,
  ],
  [
    { kind: 'refund', ...invoice, reason: 'It stops' },
    'danaw requests a refund of $38.99',
    'ORD-T5KZ2M. “It stops”',
    'Review',
    false,
  ],
]
describe('an entry has a title, a detail and a button', () => {
  test.each(cases)('%#', (item, title, detail, action, isImmediate) => {
    expect([titleOf(item), detailOf(item, '9:28 AM'), actionOf(item), actsImmediately(item)]).toEqual([
      title,
      detail,
      action,
      isImmediate,
    ])
  })
})
