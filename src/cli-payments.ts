// Commands for received payments: the same services as the payment desk.
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { eq, or, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { kindLabel, moneyText, railNames } from '#features/payments/rules.ts'
import { rematchOpen } from '#features/payments/server/service/match-payment.ts'
import { readPayment } from '#features/payments/server/service/read-payment.ts'
import type { PreviewRow } from '#features/receipts/admin-contract.ts'
import { rowReasons } from '#features/receipts/rules.ts'
import { readMailboxSettings, testMailbox } from '#features/receipts/server/mailbox/settings.ts'
import { bookStatement } from '#features/receipts/server/statements/book-statement.ts'
import { previewOf } from '#features/receipts/server/statements/preview-statement.ts'
import { formatCents } from '#kit/money.ts'
import type { Db } from '#server/db/connect.ts'
import { invoices, paymentCases, paymentMatches, payments, users } from '#server/db/tables.ts'
import { limits } from '#server/limits.ts'
import { type Command, say } from './cli-command.ts'

const requestId = `cli:${process.pid}`

/** The commands by name. */
export const paymentCommands: Record<string, Command> = {
  'payments import': {
    usage: 'payments import FILE (--dry-run | --as ADMIN) [--skip-unreadable]',
    description:
      'Reads a statement and records its new payments on behalf of an administrator. --dry-run: only shows what is new.',
    arguments: 1,
    options: { 'dry-run': { type: 'boolean' }, as: { type: 'string' }, 'skip-unreadable': { type: 'boolean' } },
    run: async ({ db }, { args: [file = ''], has, text }) => {
      const name = text('as')
      if (has('dry-run') === (name !== undefined))
        throw new Error('Use either --dry-run, or --as with the username of an administrator.')
      const admin = name === undefined ? undefined : await administratorNamed(db, name)
      if ((await stat(file)).size > limits.statement.bytes) throw new Error('The file is too large: at most 5 MB.')
      const upload = { bytes: new Uint8Array(await readFile(file)), name: basename(file) }
      const preview = await previewOf(db, upload)
      if (preview.state === 'columns')
        throw new Error('The columns of this table are not known. Upload it once under /admin/payments and name them.')
      const { exact, check, known, skipped, unreadable } = preview.counts
      say(`${exact + check} new (${exact} exact, ${check} to check), ${known} known, ${skipped} left out`)
      if (unreadable > 0) say(`${unreadable} cannot be read`)
      for (const row of preview.lines) if (row.reason) say(rowText(row))
      if (!admin) return
      const booked = await bookStatement(
        db,
        { ...upload, expectedNew: exact + check, skipUnreadable: has('skip-unreadable') },
        { admin, requestId },
      )
      say(
        `Recorded ${paymentCount(booked.counts.new)}, ${formatCents(booked.newCents)} in total. Decide about new payments under /admin/payments.`,
      )
    },
  },
  'payments rematch': {
    usage: 'payments rematch',
    description: 'Compares every open payment with the open orders again.',
    run: async ({ db }) => {
      const open = await db.$count(paymentCases, eq(paymentCases.status, 'open'))
      let changed = 0
      for (let compared = 0; compared < open; compared += batchSize)
        changed += await rematchOpen(db, Math.min(batchSize, open - compared))
      say(`Compared ${paymentCount(open)} with the open orders. Changed results: ${changed}.`)
    },
  },
  'payments explain': {
    usage: 'payments explain REF',
    description:
      'Shows which orders a payment may be for and why. REF: its number on the payment desk, its transaction number, or an order number.',
    arguments: 1,
    run: async ({ db }, { args: [reference = ''] }) => {
      const ids = await paymentsNamed(db, reference)
      if (ids.length === 0) throw new Error(`No payment matches ${reference}.`)
      for (const id of ids) await explain(db, id)
    },
  },
  'mailbox test': {
    usage: 'mailbox test',
    description: 'Connects to the payment mailbox with the stored settings. Exits with 1 if that fails.',
    run: async ({ db }, _input, config) => {
      const { value } = await readMailboxSettings(db, config)
      const context = { db, config, log: pino({ level: 'silent' }) }
      const { ok, message } = await testMailbox(context, value, { id: null, requestId })
      say(message)
      if (!ok) process.exitCode = 1
    },
  },
}

const batchSize = 200
const paymentCount = (count: number): string => `${count} ${count === 1 ? 'payment' : 'payments'}`

async function administratorNamed(db: Db, name: string) {
  const [admin] = await db
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(sql`lower(${users.username}) = lower(${name}) and ${users.role} = 'admin'`)
  if (!admin) throw new Error(`There is no administrator ${name}.`)
  return admin
}

const rowText = ({ line, verdict, reason, amount, currency, payer }: PreviewRow): string => {
  const what = amount === null ? '' : ` ${moneyText(amount, currency)}${payer && ` from ${payer}`}`
  return `  row ${line}:${what} ${verdict}, ${rowReasons[reason!]}`
}

/** Returns the ids of at most 20 payments with this number or transaction number, or with this proposed or confirmed order. */
async function paymentsNamed(db: Db, reference: string): Promise<number[]> {
  const id = /^#?\d{1,9}$/.test(reference) ? Number(reference.replace('#', '')) : 0
  const rows = await db
    .selectDistinct({ id: payments.id })
    .from(payments)
    .innerJoin(paymentCases, eq(paymentCases.paymentId, payments.id))
    .leftJoin(paymentMatches, eq(paymentMatches.paymentId, payments.id))
    .leftJoin(invoices, eq(invoices.id, paymentMatches.invoiceId))
    .where(
      or(
        eq(payments.id, id),
        eq(payments.providerReference, reference),
        eq(invoices.invoiceNumber, reference.toUpperCase()),
      ),
    )
    .orderBy(payments.id)
    .limit(20)
  return rows.map((row) => row.id)
}

async function explain(db: Db, paymentId: number): Promise<void> {
  const payment = await readPayment(db, paymentId)
  const { rail, amount, currency, openCents, paidAt, paidOn, payerName, payerHandle, note, providerReference } = payment
  say(
    `Payment #${paymentId}: ${moneyText(amount, currency)}, ${railNames[rail]}, ${paidAt ?? paidOn}, ${payment.status}`,
  )
  say(`  from ${[payerName, payerHandle].filter(Boolean).join(', ') || 'unknown'}; note: ${note || 'none'}`)
  if (providerReference) say(`  transaction ${providerReference}`)
  for (const { target, amount: cents, invoiceNumber, customer } of payment.allocations)
    say(
      `  ${formatCents(cents)} ${target}${invoiceNumber ? ` ${invoiceNumber}` : ''}${customer ? ` of ${customer}` : ''}`,
    )
  for (const candidate of payment.candidates) {
    const label = kindLabel({ kind: candidate.kind, difference: openCents - candidate.due })
    say(`  ${candidate.invoiceNumber} of ${candidate.customer}, due ${formatCents(candidate.due)}: ${label}`)
    for (const reason of candidate.reasons) say(`    ${reason}`)
  }
  if (payment.status === 'open' && payment.candidates.length === 0) say('  No order is likely.')
  if (payment.rules?.wouldConfirm) say('  Every condition of automatic confirmation holds.')
  for (const against of payment.rules?.against ?? []) say(`  Not automatic: ${against}`)
}
