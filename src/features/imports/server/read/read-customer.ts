import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { isReservedName } from '#features/accounts/rules.ts'
import type { Instant } from '#kit/dates.ts'
import { emailAddress, withoutControlCharacters } from '#kit/text.ts'
import { importedHash, noPassword } from '#server/session/imported-hash.ts'
import { headingOf, type Row } from '#server/text-files/table.ts'
import { parseDay, signedCents } from '#server/text-files/values.ts'
import type { ImportMapping } from '../../admin-contract.ts'
import type { ColumnField, RefusalReason } from '../../rules.ts'
import { cellReader, emailIn } from './cells.ts'
import type { FindPlan } from './find-plan.ts'

/** A customer as described by a row. `credit` is in cents, `reason` says why the row is refused, and `linePassword` is not sealed yet. */
export type ParsedCustomer = {
  line: number
  reason: RefusalReason | null
  username: string
  email: string
  fullName: string | null
  passwordHash: string
  credit: number
  planId: number | null
  paidUntil: Instant | null
  lineUsername: string | null
  linePassword: string | null
  /** The customer's id in the other system. */
  otherId: string | null
}

const usernameForm = /^[A-Za-z0-9_.-]{3,32}$/
const address = emailAddress('')
const maxCreditCents = 10_000_000
const maxYears = 20

/** Returns a function that reads the rows of a table with these columns. Dates are checked relative to `now`. */
export function customerReader(
  columns: string[],
  mapping: ImportMapping,
  findPlan: FindPlan,
  now: Instant,
): (row: Row) => ParsedCustomer {
  const cellsOf = cellReader<ColumnField>(columns, mapping)
  return (row) => {
    const { line, cells } = row
    const cell = cellsOf(row)
    const email = emailIn(cell('email'))
    const name = [cell('fullName'), cell('lastName')].filter(Boolean).join(' ')
    const customer: ParsedCustomer = {
      line,
      reason: null,
      username: cell('username') || usernameFrom(email),
      email,
      fullName: name.normalize('NFC') || null,
      passwordHash: noPassword,
      credit: 0,
      planId: null,
      paidUntil: null,
      lineUsername: cell('lineUsername') || null,
      linePassword: cell('linePassword') || null,
      otherId: cell('otherId') || null,
    }
    const reason =
      identityProblem(customer, cells) ??
      readPassword(customer, cell('passwordHash')) ??
      readCredit(customer, cell('credit'), mapping) ??
      readSubscription(customer, cell, mapping, findPlan, now)
    return reason ? { ...shortened(customer), reason } : customer
  }
}

/** Keeps only the fields that the list of rows shows, because a refused row is stored only for that list. */
const shortened = (customer: ParsedCustomer): ParsedCustomer => ({
  ...customer,
  username: withoutControlCharacters(customer.username).slice(0, 100),
  email: withoutControlCharacters(customer.email).slice(0, 254),
  fullName: null,
  passwordHash: noPassword,
  lineUsername: null,
  linePassword: null,
  otherId: null,
})

function identityProblem(customer: ParsedCustomer, cells: string[]): RefusalReason | null {
  const { username, email, fullName, lineUsername, linePassword, otherId } = customer
  if (!cells.some(Boolean)) return 'columns'
  if (email === '') return 'email_missing'
  if (!z.safeParse(address, email).success) return 'email'
  if (!usernameForm.test(username)) return 'username'
  if (isReservedName(username)) return 'username_reserved'
  if ((fullName?.length ?? 0) > 100) return 'full_name'
  if (
    [fullName, lineUsername, linePassword, otherId].some(
      (text) => text !== null && withoutControlCharacters(text) !== text,
    )
  )
    return 'text'
  if ((otherId?.length ?? 0) > 64) return 'other_id'
  if ((lineUsername === null) !== (linePassword === null)) return 'line_incomplete'
  return Math.max(lineUsername?.length ?? 0, linePassword?.length ?? 0) > 100 ? 'line_too_long' : null
}

/**
 * Returns a username: the part of the email address before the @, and four hexadecimal digits of the address's hash, so that every import derives the
 * same one.
 */
function usernameFrom(email: string): string {
  const [local = ''] = email.toLowerCase().split('@')
  const digest = createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 4)
  return `${local.replace(/[^a-z0-9_.-]/g, '').slice(0, 27) || 'customer'}-${digest}`
}

function readPassword(customer: ParsedCustomer, hash: string): RefusalReason | null {
  if (hash === '') return null
  const imported = importedHash(hash)
  if (imported === null) return 'password_hash'
  customer.passwordHash = imported
  return null
}

function readCredit(customer: ParsedCustomer, text: string, { decimal }: ImportMapping): RefusalReason | null {
  if (text === '') return null
  const cents = signedCents(text, decimal)
  if (cents === null) return 'credit'
  if (cents < 0) return 'credit_negative'
  if (cents > maxCreditCents) return 'credit_too_high'
  customer.credit = cents
  return null
}

function readSubscription(
  customer: ParsedCustomer,
  cell: (field: ColumnField) => string,
  { dateFormat, planMonths }: ImportMapping,
  findPlan: FindPlan,
  now: Instant,
): RefusalReason | null {
  const [name, until] = [cell('plan'), cell('paidUntil')]
  const months = monthsIn(cell('months'))
  // Some exports contain zeros instead of an empty date, such as `0000-00-00`.
  const hasDate = until !== '' && !/^[0\D]+$/.test(until)
  if (!hasDate && (name !== '' || months !== '')) return 'paid_until_missing'
  if (!hasDate) return customer.lineUsername === null ? null : 'line_without_time'
  const paidUntil = endOf(until, dateFormat)
  if (paidUntil === null) return 'paid_until'
  const years = (Date.parse(paidUntil) - Date.parse(now)) / (365 * 86_400_000)
  if (years > maxYears || Date.parse(paidUntil) < Date.UTC(2000, 0)) return 'paid_until_range'
  const wanted = { name, months: months || (planMonths?.toString() ?? ''), connections: cell('connections') }
  if (wanted.name === '' && wanted.months === '') return 'plan_missing'
  const plan = findPlan(wanted)
  if (typeof plan === 'string') return plan
  Object.assign(customer, { planId: plan, paidUntil })
  return null
}

/** Returns the last second of a day, or the time of a UNIX timestamp; null if the text is neither. */
function endOf(text: string, format: string): Instant | null {
  if (/^\d{9,10}$/.test(text)) return new Date(Number(text) * 1_000).toISOString()
  const day = parseDay(text, format)
  return day && `${day}T23:59:59.000Z`
}

// The names that WHMCS uses for billing cycles, with their lengths in months.
const cycles: Record<string, string> = {
  ...{
    monthly: '1',
    quarterly: '3',
    'semi annually': '6',
    'semi annual': '6',
    annually: '12',
    annual: '12',
    yearly: '12',
  },
  ...{ biennially: '24', triennially: '36' },
}
const monthsIn = (text: string): string => cycles[headingOf(text)] ?? text
