import { expect, test } from 'vitest'
import { programState } from './sleep-rules.ts'

const minute = 60_000
const from = Date.parse('2026-11-24T01:00:00Z')
const program = { channelId: 1, from, to: from + 60 * minute }

test.each([
  ['plays', 'at its start', 0],
  ['plays', 'a minute before its start, where its recording begins', -minute],
  ['plays', 'a moment before its end', 60 * minute - 1],
  ['ended', 'at its end', 60 * minute],
  ['ended', 'a minute after its end, in a hidden page', 61 * minute],
  ['left', 'in a later program', 62 * minute],
  ['left', 'in an earlier program', -2 * minute - 1],
] as const)('the program of the sleep timer is "%s" %s', (state, _, after) => {
  expect(programState(program, 1, { at: from + after })).toBe(state)
})

test('the program of the sleep timer counts as playing while a stream is opened, and as left when the channel changes', () => {
  expect(programState(program, 1, undefined)).toBe('plays')
  expect(programState(program, 2, { at: from })).toBe('left')
  expect(programState(program, 2, undefined)).toBe('left')
})
