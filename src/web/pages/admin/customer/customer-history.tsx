import { lazy, Suspense } from 'react'
import { actionText } from '#features/audit/rules.ts'
import type { Customer } from '#features/customers/admin-contract.ts'
import { statusNames } from '#features/subscriptions/rules.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useOpenDialog } from '../../../ui/dialog/use-open-dialog.ts'
import { DateText } from '../../../ui/time/date-text.tsx'
import { auditChanges } from './audit-changes.ts'
import { CustomerList } from './customer-list.tsx'

const UndoEdit = lazy(() =>
  import('#features/subscriptions/web/undo-edit-dialog.tsx').then((module) => ({ default: module.UndoEditDialog })),
)

const causes = { purchase: 'Payment', plan_change: 'Plan change', grant: 'Set by an administrator' } as const

/** The subscription history with its causes, where an administrator can undo an edit, and the audit log of this customer. */
export function CustomerHistory({ user, activations, audit }: Pick<Customer, 'user' | 'activations' | 'audit'>) {
  const [opened, open] = useOpenDialog<number>('customer-activations-list')
  return (
    <>
      <CustomerList
        id="activations"
        title="Subscription History"
        empty="No subscription changes yet."
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
          aside: row.kind === 'grant' && !row.reversedAt && (
            <Button
              variant="line"
              size="sm"
              aria-haspopup="dialog"
              onClick={({ currentTarget }) => open(row.id, currentTarget)}
            >
              Undo
              <span className="sr-only">
                {' '}
                the edit of <DateText value={row.createdAt} look="minute" />
              </span>
            </Button>
          ),
        }))}
      />
      <Suspense>
        {opened && (
          <UndoEdit key={opened.openCount} user={user} activationId={opened.subject} returnTo={opened.returnTo} />
        )}
      </Suspense>
      <CustomerList
        id="audit"
        title="Audit Log"
        empty="No audit entries yet."
        rows={audit.map((row) => ({
          id: row.id,
          main: actionText(row.action),
          note: (
            <>
              <DateText value={row.at} look="minute" /> by {row.actor ?? 'the system'}
              {auditChanges(row).map((change) => (
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
