import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { creditTransactions, invoices, users } from '#server/db/tables.ts'
import { creditWords, orderWords, submissionWords } from '../../source-phrase-rules.ts'
import { belowId, belowTime, entryOf, type Source, timeKey } from './source.ts'

const author = alias(users, 'author')

const orders: Source = {
  name: 'order',
  groups: ['money'],
  needs: 'invoices.read',
  read: async ({ db, userId, below, limit }) => {
    const rows = await db
      .select({ invoice: invoices, key: timeKey(invoices.createdAt, invoices.id) })
      .from(invoices)
      .where(and(eq(invoices.userId, userId), belowTime(invoices.createdAt, invoices.id, below)))
      .orderBy(desc(invoices.createdAt), desc(invoices.id))
      .limit(limit)
    return rows.map(({ key, invoice }) => ({
      key,
      entry: entryOf(`order ${invoice.id}`, {
        at: invoice.createdAt,
        group: 'money',
        ...orderWords({ ...invoice, isRenewal: invoice.renewsEnd !== null }),
        invoiceNumber: invoice.invoiceNumber,
      }),
    }))
  },
}

const submissions: Source = {
  name: 'payment',
  groups: ['money'],
  needs: 'invoices.read',
  read: async ({ db, userId, below, limit }) => {
    const { submittedAt, id } = invoices
    const rows = await db
      .select({ invoice: invoices, key: timeKey(submittedAt, id) })
      .from(invoices)
      .where(and(eq(invoices.userId, userId), isNotNull(submittedAt), belowTime(submittedAt, id, below)))
      .orderBy(desc(submittedAt), desc(id))
      .limit(limit)
    return rows.map(({ key, invoice }) => {
      const isOpen = invoice.status === 'pending'
      return {
        key,
        entry: entryOf(`payment ${invoice.id}`, {
          at: invoice.submittedAt!,
          group: 'money',
          ...submissionWords({ ...invoice, isOpen }),
          invoiceNumber: invoice.invoiceNumber,
          open: isOpen ? { kind: 'invoice', id: invoice.id, action: actionOf(invoice) } : null,
        }),
      }
    })
  },
}
/** A card payment cannot be confirmed before its link was sent. */
const actionOf = ({ paymentMethod, paymentLink }: typeof invoices.$inferSelect) =>
  paymentMethod === 'creditcard' && !paymentLink ? 'Send Payment Link' : 'Confirm Payment'

const credit: Source = {
  name: 'credit',
  groups: ['money'],
  needs: 'invoices.read',
  read: async ({ db, userId, below, limit }) => {
    const { id, amount, description, type, createdAt, createdBy } = creditTransactions
    const rows = await db
      .select({ id, amount, description, type, at: createdAt, author: author.username })
      .from(creditTransactions)
      .leftJoin(author, eq(author.id, createdBy))
      .where(and(eq(creditTransactions.userId, userId), belowId(id, below)))
      .orderBy(desc(id))
      .limit(limit)
    return rows.map((row) => ({
      key: String(row.id),
      entry: entryOf(`credit ${row.id}`, { at: row.at, group: 'money', ...creditWords(row) }),
    }))
  },
}

export const moneySources: Source[] = [orders, submissions, credit]
