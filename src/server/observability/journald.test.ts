import { pino } from 'pino'
import { expect, test } from 'vitest'
import { logDestination, withPriorities } from './journald.ts'

test('each line starts with the priority of its level', () => {
  const lines: string[] = []
  const log = pino(
    { level: 'trace', base: undefined, timestamp: false },
    withPriorities({ write: (line) => void lines.push(line) }),
  )
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) log[level](`it is ${level}`)
  log.child({ job: 1 }).error('of a child')
  expect(lines.map((line) => line.replace(/"level":\d+,/, '').trim())).toEqual([
    '<7>{"msg":"it is trace"}',
    '<7>{"msg":"it is debug"}',
    '<6>{"msg":"it is info"}',
    '<4>{"msg":"it is warn"}',
    '<3>{"msg":"it is error"}',
    '<2>{"msg":"it is fatal"}',
    '<3>{"job":1,"msg":"of a child"}',
  ])
})

test('lines have no priority if standard output is not the journal', () => {
  const out = { write: () => {} }
  for (const stream of [undefined, '', '1:1']) expect(logDestination(stream, out)).toBe(out)
})
