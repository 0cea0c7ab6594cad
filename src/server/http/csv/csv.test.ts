import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { csvFile } from '#kit/download.ts'
import { getFile } from '#kit/endpoint.ts'
import { type AppContext, implement, mount } from '../route.ts'
import { type CsvColumns, csvColumns, csvText } from './csv.ts'

type Row = { value: string | number | boolean | null }
async function* batches(...lists: Row[][]): AsyncGenerator<Row[]> {
  yield* lists
}
const columns = { Value: (row: Row) => row.value, 'Twice, "so"': (row: Row) => row.value }
const noBreak = (error: Error) => {
  throw error
}
async function written(...lists: Row[][]): Promise<string> {
  let text = ''
  for await (const piece of csvText(batches(...lists), columns, noBreak)) text += piece
  return text
}
const cellOf = async (value: Row['value']) =>
  (await written([{ value }])).split('\r\n').slice(1).join('\r\n').slice(0, -2)

describe('the columns of a CSV file', () => {
  type Invoice = { number: string; amount: number; customer: { name: string } }
  const headings = { number: 'Invoice #', amount: 'Amount', customer: 'Customer' }
  const invoice = { number: 'ORD-1', amount: 500, customer: { name: 'Ann' } }

  test('are fields with their headings and computed values, in the given order', () => {
    const columns: CsvColumns<Invoice> = csvColumns(headings, [
      'amount',
      [headings.customer, ({ customer }) => customer.name],
      'number',
      ['Paid', () => false],
    ])
    expect(Object.entries(columns).map(([heading, value]) => [heading, value(invoice)])).toEqual([
      ['Amount', 500],
      ['Customer', 'Ann'],
      ['Invoice #', 'ORD-1'],
      ['Paid', false],
    ])
  })

  test('cannot be fields without a heading or without a plain value', () => {
    // @ts-expect-error An object needs a computed value.
    const objects: CsvColumns<Invoice> = csvColumns(headings, ['customer'])
    // @ts-expect-error The field has no heading.
    const unnamed: CsvColumns<Invoice> = csvColumns({ number: 'Invoice #' }, ['amount'])
    expect([objects, unnamed].map((columns) => Object.keys(columns).length)).toEqual([1, 1])
  })
})

describe('a CSV file', () => {
  test('starts with the byte order mark and the headings, even without rows', async () => {
    expect(await written()).toBe('\uFEFF"Value","Twice, ""so"""\r\n')
  })

  test('has one line per row, regardless of the batches', async () => {
    expect(await written([{ value: 1 }], [], [{ value: 2 }, { value: 3 }])).toBe(
      await written([{ value: 1 }, { value: 2 }, { value: 3 }]),
    )
  })

  test.each([
    [null, '"",""'],
    ['', '"",""'],
    [false, '"false","false"'],
    [-12, '"-12","-12"'],
    ['a,b', '"a,b","a,b"'],
    ['say "hi"', '"say ""hi""","say ""hi"""'],
    ['two\nlines', '"two\nlines","two\nlines"'],
    ['zwei\r\nZeilen', '"zwei\r\nZeilen","zwei\r\nZeilen"'],
    ['日本 é 🦁', '"日本 é 🦁","日本 é 🦁"'],
  ] as const)('quotes %j so that parsing returns the same value', async (value, expected) => {
    expect(await cellOf(value)).toBe(expected)
  })

  test.each([
    '=1+1',
    '+SUM(A1)',
    '-2+3',
    '@cmd',
    '\t=1',
    '\r=1',
    '\n=1',
    '=HYPERLINK("http://x","y")',
    '-',
    '+1 (555) 01',
    "-1' or '1",
    ' =1+1',
    ';=1',
    '＝1+1',
  ])('escapes %j so that no spreadsheet runs it as a formula', async (value) => {
    const cell = await cellOf(value)
    expect(cell.replace(/^"/, '')).toMatch(/^'/)
  })

  test.each([
    ['a;=1+1', "a;'=1+1"],
    ['a; @cmd', "a;' @cmd"],
    ['a\t+SUM(A1)', "a\t'+SUM(A1)"],
    ['a\n=1', "a\n'=1"],
    ['a\r\n-2+3', "a\r\n'-2+3"],
    ['a;"=1', `a;""=1`],
    ['a;-12;=x', "a;-12;'=x"],
  ])(
    'escapes %j so that it is not a formula in a program that splits cells at other separators',
    async (value, expected) => {
      expect(await cellOf(value)).toBe(`"${expected}","${expected}"`)
    },
  )

  test.each(['-12', '+15550100', '-0.5', 'a=b', "'quoted", 'a;b', 'two; three-four'])(
    'does not change %j',
    async (value) => {
      expect(await cellOf(value)).toBe(`"${value}","${value}"`)
    },
  )
})

describe('a streamed file', () => {
  const endpoint = getFile('/file.csv', {
    summary: '',
    access: 'public',
    file: 'text/csv',
    output: csvFile,
    query: z.object({}),
  })
  const serve = (text: AsyncIterable<string>) => {
    const app = new Hono()
    mount(app, [implement(endpoint, () => ({ name: 'file.csv', text }))], {
      config: { trustProxy: false },
    } as unknown as AppContext)
    return app.request('/file.csv')
  }

  test('is produced no faster than the client reads it, and no longer once the client has disconnected', async () => {
    let produced = 0
    let isOver = false
    async function* endless() {
      try {
        for (;;) yield `${produced++}\r\n`
      } finally {
        isOver = true
      }
    }
    const response = await serve(endless())
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="file.csv"')
    const reader = response.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('0\r\n')
    await new Promise((resolve) => setImmediate(resolve))
    expect(produced).toBeLessThan(10)
    await reader.cancel()
    expect(isOver).toBe(true)
  })

  test('ends with an error when its source fails, so that a partial file is not mistaken for a complete one', async () => {
    async function* breaking() {
      yield 'a'
      throw new Error('connection lost')
    }
    const response = await serve(breaking())
    await expect(response.text()).rejects.toThrow('connection lost')
  })
})
