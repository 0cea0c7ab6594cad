import { expect, test } from 'vitest'
import { stageOf } from './stage.ts'

const nothing = { running: false, payment: null, line: null, synced: false }
const payment = (isConfirmed: boolean) => ({
  invoiceNumber: 'ORD-7K2M9Q',
  amount: 2_499,
  paymentMethod: 'cashapp' as const,
  at: '2026-11-23T20:31:00.000Z',
  isConfirmed,
})
const line = {
  state: 'ready' as const,
  trial: false,
  server: 'http://tv.example',
  username: 'maya7731',
  connections: 1,
  until: null,
  progress: null,
  createdInSeconds: null,
  used: false,
  xtream: true,
  linkUntil: null,
}
const notCreated = { ...line, username: null, server: null }

test.each([
  ['a visitor who never ordered', nothing, null],
  ['a customer whose subscription ended', { ...nothing, payment: payment(true) }, null],
  ['a submitted payment', { ...nothing, payment: payment(false) }, 'checking'],
  ['a renewal that is being checked', { ...nothing, running: true, synced: true, payment: payment(false) }, null],
  ['a paid plan without a line', { ...nothing, running: true }, 'manual'],
  [
    'a paid plan without a line, but with the customer’s own IPTV account',
    { ...nothing, running: true, synced: true },
    null,
  ],
  [
    'a paid plan whose line the panel is creating',
    { ...nothing, running: true, line: { ...notCreated, state: 'preparing' as const } },
    'creating',
  ],
  [
    'a paid plan whose line an administrator creates',
    { ...nothing, running: true, line: { ...notCreated, state: 'manual' as const } },
    'manual',
  ],
  ['a line that was never used', { ...nothing, running: true, line, synced: true }, 'ready'],
  ['a line that has been used', { ...nothing, running: true, line: { ...line, used: true } }, null],
  ['a trial line', { ...nothing, line: { ...line, trial: true } }, 'ready'],
  ['a trial that ended', { ...nothing, line: { ...line, trial: true, state: 'paused' as const } }, null],
] as const)('the stage of %s', (_name, facts, stage) => {
  expect(stageOf(facts)).toBe(stage)
})
