import { expect, test } from 'vitest'
import { JsonRows } from './json-rows.ts'

function read(text: string, size: number, rowLength?: number) {
  const rows: object[] = []
  const reader = new JsonRows({ onRow: (row) => rows.push(row), ...(rowLength && { rowLength }) })
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size))
  return { rows, isComplete: reader.isComplete, isInvalid: reader.isInvalid }
}
const rows = [{ a: 1 }, { b: 'x"],{}\\' }, { c: [{ d: { e: [] } }], f: 'ü' }]
const text = JSON.stringify(rows, null, 1)

test.each([1, 2, 3, 7, 64, 1_000])('a list in chunks of %i characters gives the same rows as JSON.parse', (size) => {
  expect(read(text, size)).toEqual({ rows, isComplete: true, isInvalid: false })
  expect(read(`\ufeff ${text}\n`, size)).toEqual({ rows, isComplete: true, isInvalid: false })
  expect(read(JSON.stringify({ 0: rows[0], 7: rows[1], 12: rows[2] }), size)).toEqual({
    rows,
    isComplete: true,
    isInvalid: false,
  })
  expect(read(JSON.stringify([null, 'a', 1, rows[0], [2], true]), size)).toEqual({
    rows: [rows[0]],
    isComplete: true,
    isInvalid: false,
  })
  expect(read('[]', size)).toEqual({ rows: [], isComplete: true, isInvalid: false })
  expect(read('{}', size)).toEqual({ rows: [], isComplete: true, isInvalid: false })
})

test.each([
  ['a login response', '{"user_info":{"auth":0}}'],
  ['a web page', '<html>[{}]</html>'],
  ['a broken object', '[{"a":}]'],
  ['text after the list', '[{"a":1}] x'],
  ['a string', '"[{}]"'],
])('%s is not a list', (_, other) => {
  for (const size of [1, 5, 100]) expect(read(other, size)).toMatchObject({ isComplete: false, isInvalid: true })
})

test('a truncated list is not complete', () => {
  expect(read(text.slice(0, -1), 5)).toMatchObject({ isComplete: false, isInvalid: false })
})

test('an object longer than allowed makes the list invalid, wherever the chunks end', () => {
  for (const size of [10, 1_000, 5_000])
    expect(read(`[{"a":"${'x'.repeat(3_000)}`, size, 2_000)).toMatchObject({ rows: [], isInvalid: true })
})
