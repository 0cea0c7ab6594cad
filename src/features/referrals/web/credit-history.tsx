import { clsx } from 'clsx'
import type * as z from 'zod/mini'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { creditTransaction } from '../contract.ts'

/** A scrollable list of all credit transactions, newest first. */
export function CreditHistory({ transactions }: { transactions: readonly z.output<typeof creditTransaction>[] }) {
  if (transactions.length === 0) return <EmptyState>No transactions yet</EmptyState>
  return (
    <section className="max-h-80 overflow-y-auto" aria-label="Transaction history" tabIndex={0}>
      <ul className="divide-y divide-line">
        {transactions.map((transaction) => (
          <li key={transaction.id} className="flex items-baseline justify-between gap-4 px-4.5 py-3.5 sm:px-6">
            <div className="min-w-0">
              <p className="wrap-anywhere">{transaction.description}</p>
              <DateText value={transaction.createdAt} className="text-sm text-fg-2" />
            </div>
            <b className={clsx('num font-semibold', transaction.amount > 0 ? 'text-ok' : 'text-bad')}>
              {transaction.formattedAmount}
            </b>
          </li>
        ))}
      </ul>
    </section>
  )
}
