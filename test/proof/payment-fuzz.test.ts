import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readMail } from '#features/receipts/server/read/mail/read-mail.ts'
import { readStatement } from '#features/receipts/server/read/statements/read-statement.ts'
import { UnreadableStatement } from '#features/receipts/server/read/statements/statement.ts'
import { layouts, mailFields } from '../harness/payment-layouts.ts'
import { type MailParts, mailContext, signedMail } from '../harness/payment-mails.ts'
import { statementFiles } from '../harness/payment-statements.ts'
import { roundCount } from '../harness/scale.ts'

const mails = roundCount('FUZZED_MAILS', { short: 150, full: 50_000 })
const statements = roundCount('FUZZED_STATEMENTS', { short: 400, full: 20_000 })
const seed = Number(process.env.FUZZ_SEED ?? 5)
const limitMs = 2000
/** In milliseconds: enough for all runs at full size on a machine with other work. */
const timeout = 1_200_000

const pieces = [
  '<',
  '>',
  '"',
  '&',
  '<!--',
  '-->',
  '<div>',
  '$',
  '94.99',
  '\0',
  '\r\n',
  ',',
  ';',
  ':61:',
  '<STMTTRN>',
  '\u202e',
  '=',
  '9'.repeat(40),
]
const mutation = fc.record({
  // From 0 to 1, evenly: `fc.double` gives mostly numbers close to 0.
  at: fc.nat(999_999).map((part) => part / 1_000_000),
  remove: fc.nat(60),
  insert: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 8 })),
  times: fc.constantFrom(1, 1, 1, 2, 300),
})
const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 })
type Mutation = { at: number; remove: number; insert: string; times: number }

const mutated = (text: string, changes: Mutation[]): string =>
  changes.reduce((result, { at, remove, insert, times }) => {
    const place = Math.floor(at * result.length)
    return result.slice(0, place) + insert.repeat(times) + result.slice(place + remove)
  }, text)

/** Runs `work` and expects it to stay within the limit. Compares processor time, which excludes the time in which other processes run. */
async function withinTimeLimit<T>(work: () => T | Promise<T>): Promise<T> {
  const started = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(started)
  expect((user + system) / 1000).toBeLessThan(limitMs)
  return result
}

it(`${mails} damaged emails are read without an error, in time, and no known layout yields a different amount`, {
  timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...layouts), mutations, async ({ layout }, changes) => {
      const parts = layout(mailFields())
      const body: Partial<MailParts> = parts.html
        ? { html: mutated(parts.html, changes) }
        : { text: mutated(parts.text ?? '', changes) }
      const raw = await signedMail({ ...parts, ...body })
      const { template, payments } = await withinTimeLimit(() => readMail(raw, mailContext()))
      const repeatsAmount = /\$|USD/.test(parts.subject)
      if (template && repeatsAmount) expect(payments.every(({ amount }) => amount === 3149)).toBe(true)
      await withinTimeLimit(() =>
        readMail(Buffer.from(mutated(raw.toString('latin1'), changes), 'latin1'), mailContext()),
      )
    }),
    { numRuns: mails, seed },
  )
})

it(`${statements} damaged statements are read or refused, in time`, { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...statementFiles), mutations, async ({ text }, changes) => {
      await withinTimeLimit(() => {
        try {
          const { rows } = readStatement(Buffer.from(mutated(text, changes)))
          for (const row of rows) {
            if (row.kind !== 'payment') continue
            expect(Number.isSafeInteger(row.facts.amount) && row.facts.amount > 0).toBe(true)
            expect(Boolean(row.facts.paidAt) || Boolean(row.facts.paidOn)).toBe(true)
          }
        } catch (error) {
          if (!(error instanceof UnreadableStatement)) throw error
        }
      })
    }),
    { numRuns: statements, seed },
  )
})
