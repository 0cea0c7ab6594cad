import type { ReactNode } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { IdenticalPayments as IdenticalGroup, PaymentGroup, PaymentRow } from '../../admin-contract.ts'
import { type DeskTab, sumsText } from '../../rules.ts'
import { exactPayments } from '../use-confirm-exact.ts'
import { IdenticalPayments } from './identical-payments.tsx'
import { PaymentRowButton } from './payment-row-button.tsx'

interface Props {
  tab: DeskTab
  isSearch: boolean
  rows: readonly PaymentRow[]
  /** Groups of identical payments. `chosenGroup` is the key of the group whose payments are listed. */
  alike: readonly IdenticalGroup[]
  chosenGroup: string | undefined
  groups: { ready: PaymentGroup; decide: PaymentGroup; promiseMinutes: number }
  selectedId: number | undefined
  hasMore: boolean
  pending: boolean
  onSelect: (id: number) => void
  onConfirmAll: (button: HTMLElement) => void
  onMore: () => void
  onChooseGroup: (key: string | undefined) => void
  /** Shown if no payment waits for a decision. */
  nothingToDo: ReactNode
}

const emptyTexts: Record<Exclude<DeskTab, 'waiting'>, string> = {
  held: 'No money is held for an invoice.',
  set_aside: 'No payment is set aside.',
  refunds: 'No refund is waiting to be sent.',
  done: 'No payment has been decided yet.',
}

/** The payments of a tab. The first tab has two groups: ready to confirm, and needs a decision. */
export function PaymentList({
  tab,
  isSearch,
  rows,
  groups,
  selectedId,
  hasMore,
  pending,
  onSelect,
  onConfirmAll,
  onMore,
  onChooseGroup,
  alike,
  chosenGroup,
  nothingToDo,
}: Props) {
  const identicalGroups = tab === 'waiting' && !isSearch && (alike.length > 0 || chosenGroup !== undefined) && (
    <IdenticalPayments groups={alike} chosen={chosenGroup} rows={rows} onChoose={onChooseGroup} />
  )
  if (rows.length === 0 && identicalGroups) return identicalGroups
  if (rows.length === 0) {
    if (isSearch) return <EmptyState>No payment in this tab matches your search.</EmptyState>
    return tab === 'waiting' ? nothingToDo : <EmptyState>{emptyTexts[tab]}</EmptyState>
  }
  const lists =
    tab === 'waiting'
      ? [
          { title: 'Ready to confirm', sum: groups.ready, rows: rows.filter(({ ready }) => ready) },
          { title: 'Needs a decision', sum: groups.decide, rows: rows.filter(({ ready }) => !ready) },
        ]
      : [{ title: undefined, sum: undefined, rows }]
  return (
    <>
      {chosenGroup !== undefined && identicalGroups}
      {lists.map(
        (list) =>
          list.rows.length > 0 && (
            <section key={list.title ?? tab} aria-label={list.title ?? 'Payments'}>
              {list.title && list.sum && !isSearch && (
                <div className="payment-group">
                  <h2>
                    {list.title}{' '}
                    <span className="num text-fg-2">
                      {list.sum.count}, {sumsText(list.sum.sums)}
                    </span>
                  </h2>
                  {exactPayments(list.rows).length > 1 && (
                    <Button size="sm" variant="ink" onClick={({ currentTarget }) => onConfirmAll(currentTarget)}>
                      Confirm All<span className="sr-only"> exact matches</span>
                    </Button>
                  )}
                </div>
              )}
              <ul>
                {list.rows.map((row) => (
                  <li key={row.id}>
                    <PaymentRowButton
                      row={row}
                      promiseMinutes={tab === 'waiting' ? groups.promiseMinutes : undefined}
                      selected={row.id === selectedId}
                      onSelect={() => onSelect(row.id)}
                    />
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
      {chosenGroup === undefined && identicalGroups}
      {hasMore && (
        <p className="p-3">
          <Button size="sm" variant="line" pending={pending} onClick={onMore}>
            Show More
          </Button>
        </p>
      )}
    </>
  )
}
