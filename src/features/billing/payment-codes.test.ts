import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invoices } from '#server/db/tables.ts'
import { buildApp, type TestApp } from '../../../test/harness/app.ts'
import { createPlan, createInvoice as givenInvoice, type NewInvoice } from '../../../test/harness/factories.ts'
import { confirmPayments, getInvoiceEvidence, listAllInvoices, rejectPayment, updateInvoice } from './admin-contract.ts'
import { createInvoice, submitPayment } from './contract.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signInAdmin']>>
let planId: number
beforeAll(async () => {
  app = await buildApp()
  admin = await app.signInAdmin()
  planId = (await createPlan(app.db)).id
})
afterAll(() => app.close())

type Row = typeof invoices.$inferSelect
/** Inserts a submitted payment with this code as an earlier release stored it, without validation. */
const pending = async (confirmationCode: string, values: Partial<NewInvoice> = {}): Promise<Row> => {
  const { user } = await app.signIn()
  const submitted = { paymentMethod: 'cashapp', status: 'pending', submittedAt: new Date().toISOString() } as const
  return givenInvoice(app.db, { userId: user.id, planId, ...submitted, confirmationCode, ...values })
}
const shownOf = async ({ invoiceNumber }: Row) =>
  (await admin.client.call(listAllInvoices, { query: { search: invoiceNumber } })).rows[0]!
const flagsOf = async (row: Row) => {
  const { duplicateCode, similarCode } = await shownOf(row)
  return { duplicateCode, similarCode }
}
const evidenceOf = ({ id }: Row) => admin.client.call(getInvoiceEvidence, { params: { invoiceId: id }, query: {} })
const decide = ({ id }: Row, body: object) =>
  admin.client.call(updateInvoice, { params: { invoiceId: id }, body: { status: 'paid', ...body } })

let tests = 0
/** Returns ten characters that differ in several positions from the code of any other test. */
const stem = () => `${String.fromCharCode(65 + (tests % 8))}Q${String(++tests * 7919 + 100_000).slice(0, 6)}WX`

describe('a submitted confirmation code', () => {
  const submit = async (confirmationCode: string) => {
    const { client } = await app.signIn()
    const { invoiceNumber } = await client.call(createInvoice, { body: { planId, email: 'buyer@example.org' } })
    const body = {
      planId,
      paymentMethod: 'venmo',
      confirmationCode,
      paymentNote: `SAUCE: ${invoiceNumber}`,
      invoiceNumber,
    } as const
    const response = await client.post('/api/submit-payment', body)
    const result = (await response.json()) as { code?: string; issues?: { path: string; message: string }[] }
    const [row] = await app.db.select().from(invoices).where(sql`${invoices.invoiceNumber} = ${invoiceNumber}`)
    return { status: response.status, result, row: row!, again: () => client.call(submitPayment, { body }) }
  }
  const short = 'Please enter a payment confirmation code'
  const notPlain = 'Please use only letters A to Z, digits and punctuation'

  test.each([
    ['a Cyrillic letter', 'АBC-1234', notPlain],
    ['Greek letters', 'ΑΒΓ12345', notPlain],
    ['an accent', 'CÓDE-1234', notPlain],
    ['an invisible space', 'CODE\u200b1234', notPlain],
    ['a tab', 'CODE\t1234', notPlain],
    ['an emoji', 'CODE-1234 👍', notPlain],
    ['an unpaired surrogate', 'CODE-1234\ud800', notPlain],
    ['three full-width letters', 'ＡＢＣ', short],
    ['spaces', '　　　　　', short],
    ['121 characters', 'A'.repeat(121), 'Please use at most 120 characters'],
    ['characters that become more than 120', 'ﬃ'.repeat(60), 'Please use at most 120 characters'],
  ])('is refused with %s, and nothing changes', async (_what, code, message) => {
    const { status, result, row } = await submit(code)
    expect({ status, ...result }).toMatchObject({ status: 400, code: 'invalid' })
    expect(result.issues).toContainEqual({ path: 'confirmationCode', message })
    expect(row).toMatchObject({ status: 'draft', confirmationCode: null })
  })

  test.each([
    ['full-width letters', ' ＃ＡＢ－１２３４　', '#AB-1234'],
    [
      'every printable character',
      ' !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~',
      '!"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~',
    ],
    ['120 characters', 'A1'.repeat(60), 'A1'.repeat(60)],
  ])('is normalized to ASCII: %s', async (_what, code, stored) => {
    const { status, row, again } = await submit(code)
    expect([status, row.confirmationCode]).toEqual([200, stored])
    expect(await again()).toMatchObject({ status: 'pending' })
  })

  test('is accepted again when an earlier release stored it in full width', async () => {
    const { row, again } = await submit('FULL-1234')
    await app.db.update(invoices).set({ confirmationCode: 'ＦＵＬＬ－１２３４' }).where(sql`${invoices.id} = ${row.id}`)
    expect(await again()).toMatchObject({ status: 'pending' })
  })
})

describe('a code equal to another one after normalization', () => {
  test.each<[string, (code: string) => string]>([
    ['in lower case', (code) => code.toLowerCase()],
    ['with spaces and punctuation', (code) => `# ${code.slice(0, 4)}-${code.slice(4)}.`],
    ['in full width', (code) => code.replaceAll(/./g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))],
    ['with an invisible space', (code) => `${code.slice(0, 3)}\u200b${code.slice(3)}`],
  ])('is flagged as a duplicate %s', async (_how, change) => {
    const code = stem()
    const [first, second] = [await pending(code), await pending(change(code))]
    expect(await flagsOf(first)).toEqual({ duplicateCode: true, similarCode: null })
    expect(await flagsOf(second)).toEqual({ duplicateCode: true, similarCode: null })
    expect((await evidenceOf(second)).sameCode.map(({ id }) => id)).toEqual([first.id])
  })

  test.each([['0Oo'], ['1IilL'], ['2Zz'], ['5Ss'], ['8Bb']])(
    'is flagged as a duplicate with any of the look-alikes %s in one position',
    async (lookAlikes) => {
      const code = stem()
      const rows: Row[] = []
      for (const char of lookAlikes) rows.push(await pending(`${code}${char}9`))
      for (const row of rows) expect((await flagsOf(row)).duplicateCode).toBe(true)
    },
  )

  test('is flagged across payment methods, and its confirmation requires an acknowledgement', async () => {
    const code = stem()
    const first = await pending(code)
    const second = await pending(code, { paymentMethod: 'venmo' })
    expect(await flagsOf(first)).toMatchObject({ duplicateCode: true })
    await expect(decide(second, {})).rejects.toMatchObject({ status: 409, code: 'duplicate_code' })
    expect(await decide(second, { acknowledgeDuplicate: true })).toMatchObject({ status: 'paid', duplicateCode: true })
  })

  test.each(['cancelled', 'expired'] as const)('is flagged even if the other invoice is %s', async (status) => {
    const code = stem()
    await pending(code, { status })
    expect(await flagsOf(await pending(code))).toMatchObject({ duplicateCode: true })
  })

  test('is flagged even if it is short, but short codes are never flagged as similar', async () => {
    const [first, second, third] = [await pending('XY-77'), await pending('xy 77'), await pending('XY-78')]
    expect([await flagsOf(first), await flagsOf(second)]).toEqual(
      Array(2).fill({ duplicateCode: true, similarCode: null }),
    )
    expect(await flagsOf(third)).toEqual({ duplicateCode: false, similarCode: null })
  })

  test('is compared unchanged when it contains no ASCII letter or digit', async () => {
    const [first, second, other] = [await pending('оплачено'), await pending('оплачено'), await pending('заплатил')]
    expect(await flagsOf(first)).toMatchObject({ duplicateCode: true })
    expect((await evidenceOf(second)).sameCode.map(({ id }) => id)).toEqual([first.id])
    expect(await flagsOf(other)).toEqual({ duplicateCode: false, similarCode: null })
  })
})

describe('a code one edit away from another', () => {
  test.each<[string, (code: string) => string]>([
    ['a character appended', (code) => `${code}7`],
    ['a character prepended', (code) => `7${code}`],
    ['a character inserted', (code) => `${code.slice(0, 5)}K${code.slice(5)}`],
    ['the last character removed', (code) => code.slice(0, -1)],
    ['the first character removed', (code) => code.slice(1)],
    ['a character replaced', (code) => `${code.slice(0, 6)}K${code.slice(7)}`],
    ['two adjacent characters swapped', (code) => `${code.slice(0, 8)}XW`],
    ['a character replaced by a Cyrillic letter, from an earlier release', (code) => `${code.slice(0, 9)}Ж`],
  ])('is flagged with the other invoice: %s', async (_what, change) => {
    const code = stem()
    const first = await pending(code)
    const second = await pending(change(code), { paymentMethod: 'venmo' })
    expect(await flagsOf(first)).toEqual({ duplicateCode: false, similarCode: second.invoiceNumber })
    expect(await flagsOf(second)).toEqual({ duplicateCode: false, similarCode: first.invoiceNumber })
    const evidence = await evidenceOf(second)
    expect([evidence.sameCode, evidence.similarCode.map(({ id }) => id)]).toEqual([[], [first.id]])
  })

  test('is flagged with the newest of several similar invoices, and the evidence lists all, newest first', async () => {
    const code = stem()
    const rows = [await pending(`${code}3`), await pending(`${code}4`), await pending(`${code}4`)]
    const last = await pending(code)
    expect(await flagsOf(last)).toEqual({ duplicateCode: false, similarCode: rows[2]!.invoiceNumber })
    expect((await evidenceOf(last)).similarCode.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed())
  })

  test('requires an acknowledgement to be confirmed, and is not flagged once it is paid', async () => {
    const code = stem()
    const first = await pending(code)
    const second = await pending(`${code}9`)
    await expect(decide(second, {})).rejects.toMatchObject({
      status: 409,
      code: 'similar_code',
      serverMessage: `This confirmation code differs by one character from the code of ${first.invoiceNumber}. Please check and acknowledge it.`,
    })
    expect(await decide(second, { status: 'cancelled' })).toMatchObject({ status: 'cancelled' })
    expect(await decide(first, { acknowledgeDuplicate: true })).toMatchObject({ status: 'paid', similarCode: null })
  })

  test('is skipped in a bulk confirmation unless it is acknowledged', async () => {
    const code = stem()
    const first = await pending(code, { invoiceNumber: 'ORD-SIMLR1', paymentNote: 'SAUCE: ORD-SIMLR1' })
    const second = await pending(`${code}9`, { invoiceNumber: 'ORD-SIMLR2', paymentNote: 'SAUCE: ORD-SIMLR2' })
    const confirm = (acknowledged: boolean) =>
      admin.client.call(confirmPayments, {
        body: {
          invoices: [first, second].map(({ id, version, amount }) => ({
            invoiceId: id,
            version,
            expectedAmount: amount,
            acknowledged,
          })),
        },
      })
    expect((await confirm(false)).map(({ done, code, message }) => [done, code, message])).toEqual([
      [false, 'needs_acknowledgement', 'Not acknowledged: code similar to ORD-SIMLR2.'],
      [false, 'needs_acknowledgement', 'Not acknowledged: code similar to ORD-SIMLR1.'],
    ])
    expect((await confirm(true)).map(({ done }) => done)).toEqual([true, true])
  })
})

describe('a code is not flagged', () => {
  test.each<[string, (code: string) => string]>([
    ['two characters replaced', (code) => `${code.slice(0, 3)}KK${code.slice(5)}`],
    ['two characters appended', (code) => `${code}77`],
    ['one character prepended and one replaced', (code) => `K${code.slice(0, 9)}K`],
    ['a character moved', (code) => `${code.slice(1, 9)}${code[0]}${code[9]}`],
    ['its characters reversed', (code) => [...code].toReversed().join('')],
  ])('with %s', async (_what, change) => {
    const code = stem()
    const [first, second] = [await pending(code), await pending(change(code))]
    expect([await flagsOf(first), await flagsOf(second)]).toEqual(
      Array(2).fill({ duplicateCode: false, similarCode: null }),
    )
    const evidence = await evidenceOf(second)
    expect([evidence.sameCode, evidence.similarCode]).toEqual([[], []])
    expect(await decide(second, {})).toMatchObject({ status: 'paid' })
  })

  test('if it is unique, or equals only codes of rejected payments', async () => {
    const code = stem()
    const first = await pending(code)
    expect(await flagsOf(first)).toEqual({ duplicateCode: false, similarCode: null })
    const [same, similar] = [await pending(code), await pending(`${code}7`)]
    await admin.client.call(rejectPayment, {
      params: { invoiceId: first.id },
      body: { reason: 'No such payment', version: first.version },
    })
    expect(await flagsOf(same)).toEqual({ duplicateCode: false, similarCode: similar.invoiceNumber })
    await admin.client.call(rejectPayment, {
      params: { invoiceId: same.id },
      body: { reason: 'No such payment', version: same.version },
    })
    expect(await flagsOf(similar)).toEqual({ duplicateCode: false, similarCode: null })
  })
})

/** The optimal string alignment distance, implemented from its definition. */
function distance(a: string, b: string): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const transposed =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? d[i - 2]![j - 2]! + 1 : Infinity
      d[i]![j] = Math.min(
        d[i - 1]![j]! + 1,
        d[i]![j - 1]! + 1,
        d[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
        transposed,
      )
    }
  return d[a.length]![b.length]!
}

test('the SQL functions find every pair of codes with distance 1, and is_one_edit is true for no other pair', async () => {
  // Only two letters, so that codes contain many repetitions, which are the difficult cases.
  const lengths = [6, 7, 8, 9, 10, 11, 12, 13, 19]
  let random = 42
  const next = (below: number) => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((random / 2_147_483_648) * below)
  }
  const pairs: [string, string][] = []
  for (const length of lengths)
    for (let round = 0; round < 3; round++) {
      const code = Array.from({ length }, () => 'AC'[next(2)]).join('')
      for (let at = 0; at <= length; at++) {
        const [head, tail] = [code.slice(0, at), code.slice(at)]
        for (const char of 'ACD') pairs.push([code, head + char + tail], [code, head + char + tail.slice(1)])
        pairs.push(
          [code, head + tail.slice(1)],
          [code, head + [...tail.slice(0, 2)].toReversed().join('') + tail.slice(2)],
        )
        pairs.push([code, `${head}${tail.slice(2)}`], [code, `${tail}${head}`], [code, `D${head}${tail.slice(1)}`])
      }
    }
  const long = pairs.filter(([a, b]) => a.length >= 6 && b.length >= 6)
  const { rows } = await app.db.execute<{ near: boolean; found: boolean; found_back: boolean }>(sql`
    select is_one_edit(a, b) as near, code_keys(b, length(b)) && keys_near(a) as found, code_keys(a, length(a)) && keys_near(b) as found_back
    from unnest(${sql.param(long.map(([a]) => a))}::text[], ${sql.param(long.map(([, b]) => b))}::text[]) with ordinality as pair (a, b, n) order by n`)
  const expected = long.map(([a, b]) => distance(a, b) === 1)
  expect(expected.filter(Boolean).length).toBeGreaterThan(1_000)
  expect(rows.map(({ near }) => near)).toEqual(expected)
  expect(long.filter((_, n) => expected[n] && !(rows[n]!.found && rows[n]!.found_back))).toEqual([])
})
