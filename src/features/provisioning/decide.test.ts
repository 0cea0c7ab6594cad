import { describe, expect, test } from 'vitest'
import type { DesiredState, Step } from './rules.ts'
import type { ProvisioningConfig } from './server/config.ts'
import type { Job } from './server/job-store.ts'
import type { PanelLine, ProvisioningPanel } from './server/panels/port.ts'
import { decide } from './server/worker/decide.ts'
import { transitionAfter } from './server/worker/execute-step.ts'
import type { FetchedState } from './server/worker/fetch-actual.ts'
import type { Target } from './server/worker/load.ts'

const config = (idempotent = false): ProvisioningConfig => ({
  panel: { kind: 'xui-admin', can: { setConnections: true, idempotent } } as unknown as ProvisioningPanel,
  id: 1,
  panelId: 'test',
  server: '',
  graceDays: 0,
  packages: { '1': '7' },
  trialPackage: '',
})
const desired: DesiredState = { enabled: true, until: null, connections: 1, trial: false, planId: 1, months: 1 }
const target = (over: Partial<DesiredState> = {}): Target => ({
  subscriber: { planName: 'Basic' } as Target['subscriber'],
  desired: { ...desired, ...over },
  move: null,
  isOwned: false,
})
const job = (over: Partial<Job> = {}) =>
  ({ state: 'queued', cause: 'purchase', causeKey: 'invoice:1', userId: 5, steps: [], asked: 0, ...over }) as Job
const sent = (step: Step, over: Partial<Job> = {}) => job({ state: 'sent', step, steps: [step], seen: {}, ...over })
const line: PanelLine = {
  lineRef: '42',
  username: 'amber',
  password: 'secret',
  expiresAt: null,
  enabled: true,
  connections: 1,
  trial: false,
}
const found = (over: Partial<PanelLine> = {}): FetchedState => ({ kind: 'found', line: { ...line, ...over } })
const absent: FetchedState = { kind: 'absent', credentials: { username: 'amber', password: 'secret' } }
const failed = (refusal: 'unreachable' | 'unreadable'): FetchedState => ({
  kind: 'failed',
  failure: { ok: false, refusal, message: 'No' },
})

describe('a queued job', () => {
  test('creates a missing line and changes a line that differs', () => {
    expect(decide(config(), job(), target(), absent)).toMatchObject({
      transition: { name: 'send', step: 'create', before: null },
      call: { step: 'create', line: { idempotencyKey: 'invoice:1:create', username: 'amber', packageRef: '7' } },
    })
    expect(decide(config(), job(), target(), found({ connections: 2 }))).toMatchObject({
      transition: { name: 'send', step: 'connections', before: { connections: 2 } },
      call: { step: 'connections', change: { lineRef: '42', connections: 1 } },
    })
  })

  test('finishes without a call when nothing is left to do', () => {
    expect(decide(config(), job(), target(), found())).toEqual({
      transition: { name: 'finish', line, desired },
    })
    expect(decide(config(), job(), target({ enabled: false }), absent)).toMatchObject({
      transition: { name: 'finish', line: null },
    })
  })

  test.each<[string, Job, Target, FetchedState]>([
    ['package', job(), target({ planId: 2 }), absent],
    ['mismatch', job({ steps: ['connections'] }), target(), found({ connections: 2 })],
    ['gone', job(), target(), { ...absent, kind: 'gone' }],
  ])('becomes the task %s without a call', (task, queued, desired, actual) => {
    const effect = decide(config(), queued, desired, actual)
    expect(effect).toMatchObject({ transition: { name: 'reject', task } })
    expect(effect).not.toHaveProperty('call')
  })

  test('does not count tries while the panel is down, and gives up after four unreadable responses', () => {
    const effectOf = (asked: number, refusal: 'unreachable' | 'unreadable') =>
      decide(config(), job({ asked }), target(), failed(refusal)).transition
    expect(effectOf(9, 'unreachable')).toMatchObject({ name: 'readFailed', retry: null })
    expect(effectOf(0, 'unreadable')).toMatchObject({ name: 'readFailed', retry: { minutes: 1 } })
    expect(effectOf(4, 'unreadable')).toMatchObject({ name: 'giveUp', task: 'tries' })
  })
})

describe('a call with an unknown outcome', () => {
  const effectOf = (unknown: Job, actual: FetchedState, idempotent = false, over: Partial<DesiredState> = {}) =>
    decide(config(idempotent), unknown, target(over), actual)

  test('is confirmed when the line shows its effect', () => {
    expect(effectOf(sent('create'), found())).toEqual({ transition: { name: 'confirm', step: 'create', line } })
  })

  test('is rechecked twice, then left to an administrator; it is never repeated', () => {
    for (const asked of [0, 1]) expect(effectOf(sent('create', { asked }), absent).transition.name).toBe('recheck')
    expect(effectOf(sent('create', { asked: 2 }), absent)).toMatchObject({
      transition: { name: 'leaveUnknown', task: 'unknown' },
    })
    expect(effectOf(sent('create'), absent)).not.toHaveProperty('call')
  })

  test('is repeated with its idempotency key, or when it only enables or disables', () => {
    expect(effectOf(sent('create'), absent, true)).toMatchObject({
      transition: { name: 'send', step: 'create' },
      call: { line: { idempotencyKey: 'invoice:1:create' } },
    })
    expect(effectOf(sent('disable'), found(), false, { enabled: false })).toEqual({ transition: { name: 'resend' } })
  })
})

test('the result of a call decides the next transition', () => {
  const effectOf = (step: Step, result: Parameters<typeof transitionAfter>[1]) => transitionAfter(sent(step), result)
  const message = 'No'
  expect(effectOf('extend', { outcome: 'done', line })).toEqual({ name: 'confirm', step: 'extend', line })
  expect(effectOf('extend', { outcome: 'unknown', message })).toMatchObject({ name: 'loseOutcome', minutes: 1 })
  expect(effectOf('extend', { outcome: 'unknown', message, nothingSent: true })).toMatchObject({ name: 'notSent' })
  expect(effectOf('create', { outcome: 'rejected', refusal: 'exists', message })).toMatchObject({
    name: 'loseOutcome',
    minutes: 0,
  })
  expect(effectOf('create', { outcome: 'rejected', refusal: 'credits', message })).toMatchObject({
    name: 'reject',
    task: 'rejected',
  })
})
