import { actionText } from '#features/audit/rules.ts'
import type { Customer } from '#features/customers/contract.ts'
import { statusNames } from '#features/subscriptions/rules.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { CustomerList } from './customer-list.tsx'
import { changesIn } from './history-words.ts'

const causes = { purchase: 'Payment', plan_change: 'Plan change', grant: 'Set by an administrator' } as const

/** What became of the subscription and why, and what the audit log says of this person. */
export function CustomerHistory({ activations, audit }: Pick<Customer, 'activations' | 'audit'>) {
  return (
    <>
      <CustomerList
        id="activations"
        title="Subscription History"
        empty="Nothing has changed this subscription yet."
        rows={activations.map((row) => ({
          id: row.id,
          main: (
            <>
              {causes[row.kind]}
              {row.invoiceNumber && <span className="num"> {row.invoiceNumber}</span>}
              {row.reversedAt && <b> (undone)</b>}
            </>
          ),
          note: (
            <>
              <DateText value={row.createdAt} look="minute" />
              {row.createdBy && ` by ${row.createdBy}`}: {row.planName ?? 'No Plan'}, {statusNames[row.status]}
              {row.endDate && (
                <>
                  {' '}
                  until <DateText value={row.endDate} />
                </>
              )}
            </>
          ),
        }))}
      />
      <CustomerList
        id="audit"
        title="Audit Log"
        empty="Nothing has been noted yet."
        rows={audit.map((row) => ({
          id: row.id,
          main: actionText(row.action),
          note: (
            <>
              <DateText value={row.at} look="minute" /> by {row.actor ?? 'the system'}
              {changesIn(row).map((change) => (
                <span key={change} className="block">
                  {change}
                </span>
              ))}
            </>
          ),
        }))}
      />
    </>
  )
}
