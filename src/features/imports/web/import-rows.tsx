import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { format } from 'date-fns'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { formatCents } from '#kit/money.ts'
import { query } from '#web/data.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import { type ImportRow, listImportRows } from '../admin-contract.ts'
import { earlierStatusNames } from '../invoice-rules.ts'
import { type ImportKind, reasonText, type Verdict, verdictNames } from '../rules.ts'

interface Props {
  runId: number
  label: string
  /** Undefined shows the rows of all verdicts. */
  verdict: Verdict | undefined
  kind: ImportKind
}

/** The rows of an import, 100 at a time, with their verdicts. */
export function ImportRows({ runId, label, verdict, kind }: Props) {
  const [before, setBefore] = useState<number[]>([])
  const after = before.at(-1)
  const { data, error, refetch } = useQuery({
    ...query(listImportRows, { params: { runId }, query: { verdict, after } }),
    placeholderData: keepPreviousData,
  })
  if (error && !data)
    return <ErrorState title="The rows could not be loaded" message={messageOf(error)} onRetry={() => refetch()} />
  if (!data)
    return (
      <p className="payment-loading">
        <Spinner /> Loading rows…
      </p>
    )
  if (data.rows.length === 0) return <p className="py-4 text-fg-2">No rows.</p>
  return (
    <>
      <table className="statement-lines">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Customer</th>
            <th scope="col">{kind === 'invoices' ? 'Invoice' : 'Imported data'}</th>
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => (
            <tr key={row.line}>
              <td className="num text-fg-2">{row.line}</td>
              <td>
                {row.userId !== null && row.verdict !== 'undone' ? (
                  <UserLink id={row.userId} username={row.username} email={row.email} />
                ) : (
                  <b>{row.username}</b>
                )}
                {row.email && <span className="block break-words text-fg-2">{row.email}</span>}
                {kind === 'invoices' && row.otherId && (
                  <span className="block text-fg-2">Customer ID {row.otherId}</span>
                )}
                <Result row={row} />
              </td>
              <td>{row.invoice ? <InvoiceCell invoice={row.invoice} /> : <CustomerCell row={row} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="flex flex-wrap gap-3 pt-3">
        {before.length > 0 && (
          <Button size="sm" variant="line" onClick={() => setBefore(before.slice(0, -1))}>
            Previous Rows
          </Button>
        )}
        {data.more && (
          <Button size="sm" variant="line" onClick={() => setBefore([...before, data.rows.at(-1)!.line])}>
            Next Rows
          </Button>
        )}
      </div>
    </>
  )
}

function Result({ row: { verdict, reason } }: { row: ImportRow }) {
  const variant =
    verdict === 'refused' ? 'destructive' : verdict === 'create' || verdict === 'created' ? 'default' : 'secondary'
  return (
    <Badge variant={variant} className="whitespace-normal">
      {verdictNames[verdict]}
      {reason && `: ${reasonText(reason)}`}
    </Badge>
  )
}

function CustomerCell({ row }: { row: ImportRow }) {
  return (
    <>
      {row.credit > 0 && <b className="num block">{formatCents(row.credit)}</b>}
      {row.plan && <span className="block">{row.plan}</span>}
      {row.paidUntil && (
        <span className="block text-fg-2">
          until {format(new Date(`${row.paidUntil.slice(0, 10)}T12:00:00`), 'MMM d, yyyy')}
        </span>
      )}
      {row.lineUsername && <span className="block text-fg-2">Line {row.lineUsername}</span>}
    </>
  )
}

/** The invoice as described by the file. Values that could not be read are left out. */
function InvoiceCell({
  invoice: { number, issuedOn, amount, status },
}: {
  invoice: NonNullable<ImportRow['invoice']>
}) {
  return (
    <>
      {amount !== null && <b className="num block">{formatCents(amount)}</b>}
      {number && <span className="num block">{number}</span>}
      {issuedOn && (
        <span className="block text-fg-2">
          <DateText value={issuedOn} />
        </span>
      )}
      {status && <span className="block text-fg-2">{earlierStatusNames[status]}</span>}
    </>
  )
}
