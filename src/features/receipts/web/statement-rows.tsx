import { format } from 'date-fns'
import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { kindLabel, moneyText } from '#features/payments/rules.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import type { PreviewRow } from '../admin-contract.ts'
import { rowReasons } from '../rules.ts'

interface Props {
  label: string
  rows: PreviewRow[]
  /** The number of such rows in the file; the preview contains at most 500 of each kind. */
  total: number
}

const pageSize = 50

/** Rows of a statement with their verdicts. */
export function StatementRows({ label, rows, total }: Props) {
  const [count, setCount] = useState(pageSize)
  const shown = rows.slice(0, count)
  return (
    <>
      <table className="statement-lines">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Payment</th>
            <th scope="col" className="text-right">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a preview do not change, and parts of one statement entry share a line number
            <tr key={`${row.line}-${index}`}>
              <td className="num text-fg-2">{row.line}</td>
              <td>
                {row.payer && <b>{row.payer}</b>}
                {row.note && <span className="block text-fg-2">{row.note}</span>}
                <Result row={row} />
              </td>
              <td className="text-right">
                {row.amount !== null && <b className="num">{moneyText(row.amount, row.currency)}</b>}
                {row.paidOn && <span className="block text-fg-2">{day(row.paidOn)}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > count ? (
        <p className="pt-3">
          <Button size="sm" variant="line" onClick={() => setCount(count + pageSize)}>
            Show More
          </Button>
        </p>
      ) : (
        total > rows.length && (
          <p className="pt-3 text-sm text-fg-2">
            The first {rows.length} of {total} are shown.
          </p>
        )
      )}
    </>
  )
}

const day = (text: string): string => format(new Date(`${text}T12:00:00`), 'MMM d, yyyy')

function Result({ row: { verdict, kind, invoiceNumber, customer, reason, paymentId } }: { row: PreviewRow }) {
  const invoice = [invoiceNumber, customer].filter(Boolean).join(', ')
  if (verdict === 'exact')
    return (
      <Badge variant="default">
        <CircleCheck size={14} />
        Exact match: {invoice}
      </Badge>
    )
  if (verdict === 'check')
    return (
      <Badge variant="secondary">
        <CircleHelp size={14} />
        {kindLabel({ kind: kind ?? 'unknown', difference: null })}
        {invoice && `: ${invoice}`}
      </Badge>
    )
  if (verdict === 'unreadable')
    return (
      <Badge variant="destructive">
        <CircleAlert size={14} />
        {rowReasons[reason ?? 'structure']}
      </Badge>
    )
  if (verdict === 'known' && paymentId)
    return (
      <a className="link text-sm" href={`/admin/payments?payment=${paymentId}`} target="_blank" rel="noreferrer">
        Already recorded, payment {paymentId}
      </a>
    )
  return <span className="text-sm text-fg-2">{reason && rowReasons[reason]}</span>
}
