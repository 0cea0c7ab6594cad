import { matchPayment } from '#features/payments/server/matching/match.ts'
import type { Evidence, MatchResult, PaymentFacts } from '#features/payments/server/matching/types.ts'
import { type JoinResult, joinPayments } from '#features/receipts/server/read/identity.ts'
import type { DnsResolver } from '#features/receipts/server/read/mail/authenticity.ts'
import { type OwnAccount, readMail } from '#features/receipts/server/read/mail/read-mail.ts'
import { readStatement } from '#features/receipts/server/read/statements/read-statement.ts'
import { type Statement, UnreadableStatement } from '#features/receipts/server/read/statements/statement.ts'
import type { Entry, FixtureFolder } from './folder.ts'
import type { State } from './state.ts'

type ReadPayment = PaymentFacts & { accountReference?: string | null }
/** The result of reading a file, in the terms of `index.json`. */
export type Result = {
  auth?: string
  outcome: string
  reason: string | null
  format?: string
  payments: ReadPayment[]
  match: MatchResult[]
  skipped: number
  unreadable: number
  new: number
  known: number
}

/** Reads a file, matches its payments, and books it if `isBooked`. */
export async function readFile(
  folder: FixtureFolder,
  { file, kind, expect }: Entry,
  state: State,
  isBooked: boolean,
): Promise<Result> {
  const bytes = folder.read(file)
  return kind === 'mail'
    ? readMailFile(bytes, folder, state, isBooked)
    : readStatementFile(bytes, folder, state, { isBooked, mapping: expect.mapping ?? null })
}

const emptyResult = { payments: [], match: [], skipped: 0, unreadable: 0, new: 0, known: 0 }

/** Answers from `dns.json`; a missing name is "no such record". */
const resolverFor =
  (dns: Record<string, string>): DnsResolver =>
  async (name) => {
    const record = Object.hasOwn(dns, name) ? dns[name] : undefined
    if (record === undefined) throw Object.assign(new Error(`No record ${name}`), { code: 'ENOTFOUND' })
    return [[record]]
  }

async function readMailFile(
  bytes: Uint8Array,
  { world, dns }: FixtureFolder,
  state: State,
  isBooked: boolean,
): Promise<Result> {
  const read = await readMail(bytes, {
    now: state.settings.now,
    resolver: resolverFor(dns),
    mailbox: world.mailbox,
    accounts: world.identities as Record<string, OwnAccount>,
  })
  const { auth, outcome, reason } = read
  if (outcome !== 'payment') return { ...emptyResult, auth, outcome, reason }
  const joined = joinPayments(
    read.payments.map((facts) => ({ facts, source: 'mail' })),
    state.book,
    state.timeZone,
  )
  if (state.messages.has(read.sourceKey)) return { ...emptyResult, auth, outcome: 'known', reason: 'same_message' }
  if (joined.every(({ booked }) => booked)) {
    const how = joined[0]?.by === 'reference' ? 'same_provider_reference' : 'same_payment'
    return { ...emptyResult, auth, outcome: 'known', reason: how, known: joined.length }
  }
  const match = await matchAll(read.payments, read.evidence, state)
  if (isBooked) state.messages.add(read.sourceKey)
  if (isBooked) addToBook(read.payments, joined, match, state)
  return { ...emptyResult, ...counted(joined), auth, outcome, reason, payments: read.payments, match }
}

const stated: Evidence = { auth: 'stated', recipientIsOurs: true, templateKnown: true, signedAt: null }

async function readStatementFile(
  bytes: Uint8Array,
  { world }: FixtureFolder,
  state: State,
  { isBooked, mapping }: { isBooked: boolean; mapping: Entry['expect']['mapping'] },
): Promise<Result> {
  let statement: Statement
  try {
    statement = readStatement(bytes, mapping ?? null)
  } catch (error) {
    if (!(error instanceof UnreadableStatement)) throw error
    return { ...emptyResult, outcome: 'unreadable', reason: error.message }
  }
  const { format } = statement
  if (!isOurs(statement, world.identities as Record<string, OwnAccount>))
    return { ...emptyResult, format, outcome: 'refused', reason: 'other_account' }
  const rows = statement.rows.flatMap((row) => (row.kind === 'payment' ? [row] : []))
  const payments = rows.map(({ facts }) => facts)
  const joined = joinPayments(
    payments.map((facts) => ({ facts, source: format })),
    state.book,
    state.timeZone,
  )
  const match = await matchAll(payments, stated, state)
  if (isBooked) addToBook(payments, joined, match, state)
  const count = (kind: string) => statement.rows.filter((row) => row.kind === kind).length
  return {
    outcome: 'payment',
    reason: null,
    format,
    payments: rows.map(({ facts, accountReference }) => ({ ...facts, accountReference })),
    match,
    skipped: count('skipped'),
    unreadable: count('unreadable'),
    ...counted(joined),
  }
}

/** Whether the account that a statement names is one of ours; a statement that names none is accepted. */
function isOurs({ format, account }: Statement, accounts: Record<string, OwnAccount>): boolean {
  const own =
    format === 'csv:venmo' ? accounts.venmo?.handles : format === 'csv:paypal' ? accounts.paypal?.addresses : []
  return !account || !own?.length || own.some((each) => each.toLowerCase() === account.toLowerCase())
}

const matchAll = (payments: PaymentFacts[], evidence: Evidence, state: State): Promise<MatchResult[]> =>
  Promise.all(payments.map((facts) => matchPayment(facts, evidence, state.lookups(), state.settings)))

const counted = (joined: JoinResult[]) => ({
  new: joined.filter(({ booked }) => !booked).length,
  known: joined.filter(({ booked }) => booked).length,
})

function addToBook(payments: PaymentFacts[], joined: JoinResult[], match: MatchResult[], state: State): void {
  payments.forEach((facts, at) => {
    const { booked, receipt } = joined[at]!
    if (booked) booked.receipts.push(receipt)
    else state.add(facts, receipt, match[at] ?? null)
  })
}
