import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { storeMail } from '#features/receipts/server/mailbox/store-mail.ts'
import { readMail } from '#features/receipts/server/read/mail/read-mail.ts'
import { bookStatement } from '#features/receipts/server/statements/book-statement.ts'
import { previewOf } from '#features/receipts/server/statements/preview-statement.ts'
import type { Tx } from '#server/db/connect.ts'
import { paymentMails, payments } from '#server/db/tables.ts'
import { secretKey } from '#server/secrets/keys.ts'
import { buildApp } from '../harness/app.ts'
import { expectInvariants } from '../harness/invariants.ts'
import { layouts, mailFields } from '../harness/payment-layouts.ts'
import { mailContext, signedMail } from '../harness/payment-mails.ts'
import { statementFiles } from '../harness/payment-statements.ts'
import { roundCount } from '../harness/scale.ts'

const repeats = roundCount('PAYMENT_REPEATS', { short: 2, full: 5 })
const orderings = roundCount('PAYMENT_ORDERS', { short: 2, full: 20 })

/** Locks the row of the mailbox lease, which a reader holds while it stores an email. */
const lease = async (tx: Tx) => void (await tx.execute(sql`select from mailbox_reader for update`))

/** Returns the items in a pseudo-random order: the same order for the same seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  return items
    .map((each, at) => ({ each, rank: Math.sin(seed * 1_000 + at) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ each }) => each)
}

const mails = await Promise.all(
  layouts.map(async ({ layout }, at) => {
    const raw = await signedMail(layout(mailFields({ id: String(4_691_000_000_000_300_000 + at * 1_000) })))
    return { raw, content: await readMail(raw, mailContext()) }
  }),
)

/**
 * Returns the numbers of stored emails and payments after emails and statements arrived in the random order of `seed`, each email `times` times and from two
 * readers at once.
 */
async function storedCounts(seed: number, times: number) {
  const app = await buildApp({ connections: 10 })
  const admin = (await app.signInAdmin()).user
  const key = () => secretKey(app.context.config)
  let uid = 0
  const email =
    ({ raw, content }: (typeof mails)[number]) =>
    async () => {
      // Each round has another UIDVALIDITY: the positions of the emails mean nothing.
      const place = { mailbox: 'test', uidValidity: BigInt(seed + (++uid % 3)), uid, messageId: `<${uid}@x>` }
      const mail = { ...place, sender: 'x@x.example', subject: '', size: raw.length, receivedAt: new Date() }
      const store = () => storeMail(app.db, { mail, content, raw, key }, lease)
      await Promise.all([store(), store()])
    }
  const statement = (name: string, text: string) => async () => {
    const upload = { name, bytes: Buffer.from(text) }
    const preview = await previewOf(app.db, upload)
    if (preview.state !== 'preview') return
    const expectedNew = preview.counts.exact + preview.counts.check
    if (preview.booked) return expect(expectedNew).toBe(0)
    await bookStatement(app.db, { ...upload, expectedNew, skipUnreadable: true }, { admin, requestId: 'test' })
  }
  const arrivals = [
    ...Array.from({ length: times }, () => mails.map(email)).flat(),
    ...statementFiles.flatMap(({ format, text }) => [
      statement(format, text),
      statement(`${format} again`, `${text}\n`),
    ]),
  ]
  for (const arrive of shuffled(arrivals, seed)) await arrive()
  await expectInvariants(app.db)
  const counts = [await app.db.$count(paymentMails), await app.db.$count(payments)]
  await app.close()
  return counts
}

it(`emails and statements that arrive ${repeats} times, in ${orderings} random orders, create as many payments as if they arrive once`, {
  timeout: 900_000,
}, async () => {
  const once = await storedCounts(1, 1)
  expect(once[0]).toBe(mails.length)
  for (let seed = 2; seed < 2 + orderings; seed++) {
    expect(await storedCounts(seed, repeats)).toEqual(once)
  }
})
