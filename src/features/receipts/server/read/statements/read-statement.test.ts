import { describe, expect, it } from 'vitest'
import { parseDay, signedCents } from '#server/text-files/values.ts'
import { statementFiles } from '../../../../../../test/harness/payment-statements.ts'
import { readStatement } from './read-statement.ts'
import { type ColumnMapping, UnreadableStatement } from './statement.ts'
import { instantIn, joinCut } from './values.ts'

const read = (text: string | Uint8Array, mapping: ColumnMapping | null = null) =>
  readStatement(typeof text === 'string' ? Buffer.from(text) : text, mapping)
const paymentsOf = (statement: ReturnType<typeof read>) =>
  statement.rows.flatMap((row) => (row.kind === 'payment' ? [row.facts] : []))
const textOf = (format: string) => statementFiles.find((file) => file.format === format)!.text

it.each(statementFiles)('$format is recognized and read', ({ format, text, payments, skipped }) => {
  const statement = read(text)
  expect(statement.format).toBe(format)
  const found = paymentsOf(statement).map(({ amount, note, payerName, providerReference: reference }) => ({
    amount,
    note,
    payerName,
    reference,
  }))
  expect(found).toEqual(payments)
  expect(statement.rows.filter(({ kind }) => kind === 'skipped')).toHaveLength(skipped)
  expect(statement.rows.filter(({ kind }) => kind === 'unreadable')).toEqual([])
})

it('times are read in the time zone of the file, and days have no time zone', () => {
  expect(paymentsOf(read(textOf('csv:cashapp'))).map(({ paidAt }) => paidAt)).toEqual([
    '2026-11-19T14:02:11.000Z',
    '2026-07-19T13:02:11.000Z',
  ])
  expect(paymentsOf(read(textOf('csv:paypal')))[0]).toMatchObject({ paidAt: '2026-11-19T14:02:11.000Z', fee: 99 })
  expect(paymentsOf(read(textOf('ofx')))[0]).toMatchObject({ paidAt: null, paidOn: '2026-11-19' })
  // The entry date has no year. Here it is in December, before a value date in January.
  expect(paymentsOf(read(textOf('mt940')))[0]).toMatchObject({ paidOn: '2026-12-31' })
})

it.each([
  ['PAYMENT SENT', '2026-11-19 09:02:11 EST', { cents: 3_149, recipient: 'Ida', at: '2026-11-19T14:02:11.000Z' }],
  ['PAYMENT FAILED', '2026-11-19 09:02:11 EST', undefined],
  ['PAYMENT PENDING', '2026-11-19 09:02:11 EST', undefined],
  ['PAYMENT SENT', 'yesterday', undefined],
])('a Cash App row with the status %s and the date %s reports as sent money: %j', (status, date, sent) => {
  const heads = 'Transaction ID,Date,Transaction Type,Currency,Amount,Status,Notes,Name of sender/receiver'
  const [row] = read(`${heads}\nout1,${date},Sent P2P,USD,-$31.49,${status},,Ida\n`).rows
  expect(row).toMatchObject({ kind: 'skipped', reason: 'outgoing' })
  expect(row && 'sent' in row ? row.sent : undefined).toEqual(sent && expect.objectContaining(sent))
})

it('the account is returned if the file contains it', () => {
  expect(read(textOf('csv:venmo')).account).toBe('@shop-tv')
  expect(read(textOf('csv:paypal')).account).toBe('pay@shop.example')
})

it('reversals are neither payments nor debits', () => {
  const mt940 = textOf('mt940').replace('1231CR31,49', '1231RC31,49').replace('0102DR12,', '0102RD12,')
  expect(read(mt940).rows.map((row) => (row.kind === 'payment' ? row.facts.direction : row))).toMatchObject([
    'reversal',
    { kind: 'skipped', reason: 'reversed_debit' },
    'in',
  ])
  const paypal = textOf('csv:paypal').replace('"Rückzahlung"', '"Rückbuchung"')
  expect(paymentsOf(read(paypal))[1]).toMatchObject({
    direction: 'reversal',
    amount: 103_149,
    reversesReference: '4VW57989RN961080F',
  })
})

describe('encodings', () => {
  const mapping: ColumnMapping = {
    date: 'Buchungstag',
    name: 'Name',
    note: 'Zweck',
    amount: 'Betrag',
    dateFormat: 'dd.MM.yyyy',
    decimal: ',',
  }
  const text = 'Buchungstag;Name;Zweck;Betrag\n19.11.2026;Jürgen Müller;ORD-7F3K2G;1.031,49\n'
  it.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['windows-1252', Buffer.from(text, 'latin1')],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 without a byte order mark', Buffer.from(text, 'utf16le')],
  ])('%s', (_, bytes) => {
    expect(paymentsOf(read(bytes, mapping))).toMatchObject([{ payerName: 'Jürgen Müller', amount: 103_149 }])
  })

  it('valid UTF-8 takes precedence over a wrongly declared encoding', () => {
    expect(paymentsOf(read(textOf('ofx').replace('Ana Ruiz', 'Renée Dubé')))[0]!.payerName).toBe('Renée Dubé')
  })

  it('a table of unknown format is refused with its headings if no columns are given', () => {
    expect(() => read(text)).toThrow(UnreadableStatement)
    try {
      read(text)
    } catch (error) {
      expect((error as UnreadableStatement).columns).toEqual(['Buchungstag', 'Name', 'Zweck', 'Betrag'])
    }
  })

  it('credit and debit columns are understood', () => {
    const columns: ColumnMapping = {
      date: 'Date',
      note: 'Text',
      credit: 'In',
      debit: 'Out',
      dateFormat: 'd/M/yyyy',
      decimal: '.',
    }
    const table =
      'Date\tText\tIn\tOut\n1/11/2026\tORD-7F3K2G\t31.49\t\n2/11/2026\tshop\t\t12.00\n3/13/2026\tx\t1.00\t\n'
    expect(read(table, columns).rows).toMatchObject([
      { kind: 'payment', facts: { amount: 3149, paidOn: '2026-11-01' } },
      { kind: 'skipped', reason: 'outgoing' },
      { kind: 'unreadable', reason: 'date', line: 4 },
    ])
  })
})

describe('files that are refused', () => {
  it.each([
    ['empty', ''],
    ['too_large', 'x'.repeat(5_000_001)],
    ['doctype', '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><Document/>'],
    ['no_statement', '<?xml version="1.0"?><Document/>'],
    ['broken_xml', '<?xml version="1.0"?><Document><a></Document>'],
    ['unknown_columns', 'hello\nworld\n'],
    ['too_many_rows', `"11/19/2026","1.00","*","","x"\n`.repeat(50_001)],
  ])('%s', (reason, text) => {
    expect(() => read(text)).toThrow(reason)
  })

  it('a row that cannot be read is reported with its line number', () => {
    const broken = textOf('csv:chase').replace('11/19/2026,"Zelle payment from', '13/45/2026,"Zelle payment from')
    expect(read(broken).rows[1]).toEqual({ kind: 'unreadable', line: 3, reason: 'date' })
    expect(read(broken.replace(',31.49,', ',many,')).rows[0]).toMatchObject({ kind: 'unreadable', reason: 'amount' })
  })
})

it.each<[string, number | null]>([
  ['$1,049.98', 104_998],
  ['-$2.90', -290],
  ['+ $120.00', 12_000],
  ['- $75.00', -7500],
  ['(12.00)', -1200],
  ['1.234,56', 123_456],
  ['79,', 7900],
  ['$40', 4000],
  ['1,234', 123_400],
  ['12.345.678', 1_234_567_800],
  ['1.2.3', null],
  ['12,34,567.00', null],
  ['1e5', null],
  ['', null],
  ['99999999999999999999', null],
])('%j is read as %s cents', (text, cents) => {
  expect(signedCents(text)).toBe(cents)
})

it('days and instants that do not exist are refused', () => {
  expect(parseDay('29.02.2026', 'dd.MM.yyyy')).toBeNull()
  expect(parseDay('29.02.2028', 'dd.MM.yyyy')).toBe('2028-02-29')
  expect(parseDay('11/19/26', 'MM/dd/yy')).toBe('2026-11-19')
  expect(instantIn('2026-07-01', '12:00:00', 'America/New_York')).toBe('2026-07-01T16:00:00.000Z')
  expect(instantIn('2026-07-01', '12:00:00', 'GMT+02:00')).toBe('2026-07-01T10:00:00.000Z')
  expect(instantIn('2026-07-01', '25:00:00', 'UTC')).toBeNull()
  expect(instantIn('2026-07-01', '12:00:00', 'Nowhere/Land')).toBeNull()
})

it('pieces of a wrapped text are joined, and complete order numbers stay separate', () => {
  expect(joinCut(['SAUCE ORD-7F3', 'K2G thanks'])).toBe('SAUCE ORD-7F3K2G thanks')
  expect(joinCut(['ORD-7F3K2G', 'thanks'])).toBe('ORD-7F3K2G thanks')
  expect(joinCut(['SAUCE', 'ORD-7F3K2G'])).toBe('SAUCE ORD-7F3K2G')
})
