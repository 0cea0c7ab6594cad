import { pino } from 'pino'
import { expect, test } from 'vitest'
import { buildApp } from '../../../test/harness/app.ts'
import { logOptions } from './log.ts'

function written(fields: object): { line: string; fields: Record<string, unknown> } {
  const lines: string[] = []
  pino({ ...logOptions, base: undefined }, { write: (text: string) => void lines.push(text) }).info(fields, 'said')
  expect(lines).toHaveLength(1)
  return { line: lines[0]!, fields: JSON.parse(lines[0]!) as Record<string, unknown> }
}

/** Control characters, line separators and bidirectional overrides. */
const unsafe = /[\p{Cc}\u2028\u2029\u202a-\u202e]/u

test('fields from requests are truncated, with their original length', () => {
  for (const name of ['path', 'userAgent', 'host', 'origin', 'username']) {
    const { fields } = written({ [name]: `/${'x'.repeat(20_000)}` })
    expect(fields[name], name).toBe(`/${'x'.repeat(255)}… (20001 characters)`)
  }
})

test('other strings, stacks, lists and nested objects have higher limits', () => {
  const { line, fields } = written({
    message: 'm'.repeat(5_000),
    error: { stack: 's'.repeat(50_000) },
    list: Array(1_000).fill('y'),
    a: { b: { c: { d: { e: 1 } } } },
  })
  expect(String(fields.message).length).toBeLessThan(1_100)
  expect((fields.error as { stack: string }).stack.length).toBeLessThan(4_200)
  expect(fields.list).toHaveLength(50)
  expect(line.length).toBeLessThan(6_500)
})

test('a log line contains no raw control characters, line separators or direction overrides', () => {
  const { line, fields } = written({
    path: '/a\r\n{"level":60}\u001b[2J\u009b31m\u202egnp.exe\u2028b\ud800',
    '\u202ekey': 1,
  })
  expect(line.trimEnd()).not.toMatch(unsafe)
  expect(fields.path).toBe('/a\r\n{"level":60}\u001b[2J\\u009b31m\\u202egnp.exe\\u2028b\ufffd')
})

test('numbers, dates, booleans, null and errors are not changed', () => {
  const { fields } = written({ status: 503, at: new Date(0), ok: true, none: null, err: new Error('no') })
  expect(fields).toMatchObject({
    status: 503,
    at: '1970-01-01T00:00:00.000Z',
    ok: true,
    none: null,
    err: { type: 'Error', message: 'no' },
  })
})

test('a refused request with a long URL of control characters is logged as a short line', async () => {
  const app = await buildApp()
  const before = app.logs.length
  expect((await app.client().request(`/api/invoices/${'%0a%E2%80%AE'.repeat(800)}`)).status).toBeGreaterThanOrEqual(400)
  const lines = app.logs.slice(before)
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) {
    expect(line.length, line).toBeLessThan(1_000)
    expect(line.trimEnd()).not.toMatch(unsafe)
  }
  await app.close()
})
