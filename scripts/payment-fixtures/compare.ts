import type { MatchResult } from '#features/payments/server/matching/types.ts'
import type { Entry } from './folder.ts'
import type { Result } from './read-file.ts'

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing'
const differs = (name: string, expected: unknown, found: unknown): string =>
  `${name}: expected ${shown(expected)}, found ${shown(found)}`

const isEqual = (one: unknown, other: unknown): boolean => shown(one) === shown(other)
const isSameInstant = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' && Date.parse(one) === Date.parse(other)
const sorted = (value: unknown): unknown => (Array.isArray(value) ? value.toSorted() : value)

const numbersOf = (invoices: MatchResult['invoices']): string[] => invoices.map(({ number }) => number)
const matchFields: Record<string, (match: MatchResult) => unknown> = {
  level: ({ level }) => level,
  resolver: ({ resolver }) => resolver,
  auto: ({ auto }) => auto,
  invoices: ({ invoices }) => numbersOf(invoices),
  alternatives: ({ alternatives }) => numbersOf(alternatives).toSorted(),
  blockedBy: ({ blockedBy }) => blockedBy.map(({ code }) => code).toSorted(),
}
const setFields = new Set(['alternatives', 'blockedBy'])
const comparedElsewhere = new Set(['payments', 'match', 'after', 'mapping'])
const results = ['auth', 'outcome', 'reason', 'format', 'skipped', 'unreadable', 'new', 'known']

/** Returns the differences between a result and its entry in the index. Fields that the entry does not name are not compared. */
export function differencesOf({ expect }: Entry, result: Result): string[] {
  const found: string[] = []
  for (const [name, expected] of Object.entries(expect)) {
    if (comparedElsewhere.has(name) || expected === undefined) continue
    if (!results.includes(name)) found.push(`${name}: there is nothing to compare it with`)
    else if (!isEqual(expected, result[name as keyof Result]))
      found.push(differs(name, expected, result[name as keyof Result]))
  }
  if (expect.payments) found.push(...paymentDifferences(expect.payments, result.payments))
  if (expect.match) found.push(...matchDifferences(expect.match, result.match))
  return found
}

function paymentDifferences(expected: Record<string, unknown>[], payments: Result['payments']): string[] {
  if (expected.length !== payments.length) return [differs('number of payments', expected.length, payments.length)]
  return expected.flatMap((fields, at) =>
    Object.entries(fields).flatMap(([name, value]) => {
      const payment = payments[at]! as Record<string, unknown>
      if (!Object.hasOwn(payment, name)) return [`payments[${at}].${name}: there is nothing to compare it with`]
      const isSame = isEqual(value, payment[name]) || (name === 'paidAt' && isSameInstant(value, payment[name]))
      return isSame ? [] : [differs(`payments[${at}].${name}`, value, payment[name])]
    }),
  )
}

function matchDifferences(expected: Record<string, unknown>[], matches: MatchResult[]): string[] {
  if (expected.length !== matches.length) return [differs('number of matches', expected.length, matches.length)]
  return expected.flatMap((fields, at) =>
    Object.entries(fields).flatMap(([name, value]) => {
      const read = Object.hasOwn(matchFields, name) ? matchFields[name] : undefined
      if (!read) return [`match[${at}].${name}: there is nothing to compare it with`]
      const wanted = setFields.has(name) ? sorted(value) : value
      const actual = read(matches[at]!)
      return isEqual(wanted, actual) ? [] : [differs(`match[${at}].${name}`, wanted, actual)]
    }),
  )
}
