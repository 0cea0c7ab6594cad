import type { Customer } from '#features/customers/admin-contract.ts'
import { contentTypeNames, issueNames } from '#features/reports/rules.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import { DateText } from '../../../ui/time/date-text.tsx'
import { CustomerList } from './customer-list.tsx'

/** Reports, trial requests and other accounts with the same mailbox. */
export function CustomerRequests({
  reports,
  trials,
  sameMailbox,
}: Pick<Customer, 'reports' | 'trials' | 'sameMailbox'>) {
  return (
    <>
      <CustomerList
        id="reports"
        title="Reports"
        aside={
          reports.total > reports.rows.length && (
            <span className="num text-fg-2">
              newest {reports.rows.length} of {reports.total}
            </span>
          )
        }
        empty="No reports submitted"
        rows={reports.rows.map((report) => ({
          id: report.id,
          main: report.contentName,
          note: (
            <>
              {contentTypeNames[report.contentType]} · {issueNames[report.issue]} ·{' '}
              <DateText value={report.createdAt} />
            </>
          ),
          aside: <StatusBadge status={report.status} />,
        }))}
      />
      <CustomerList
        id="trials"
        title="Trial Requests"
        empty="No trial requested"
        rows={trials.map((trial) => ({
          id: trial.id,
          main: trial.device,
          note: (
            <>
              <DateText value={trial.requestDate} />
              {trial.expiryDate && (
                <>
                  {' '}
                  · until <DateText value={trial.expiryDate} />
                </>
              )}
            </>
          ),
          aside: <StatusBadge status={trial.status} />,
        }))}
      />
      <CustomerList
        id="same-mailbox"
        title="Same Mailbox"
        empty="No other account uses this mailbox."
        rows={sameMailbox.map((account) => ({
          id: account.id,
          main: <UserLink id={account.id} username={account.username} mark />,
          note: account.email,
        }))}
      />
    </>
  )
}
