import { format } from 'date-fns'
import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { kindLabel, moneyText } from '#features/payments/rules.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import type { PreviewLine } from '../admin-contract.ts'
import { lineReasons } from '../rules.ts'

interface Props {
  label: string
  lines: PreviewLine[]
  /** The number of lines in the file; the preview has at most 500 of each kind. */
  total: number
}

const shownAtOnce = 50

/** Lines of a statement with their verdicts. */
export function StatementLines({ label, lines, total }: Props) {
  const [count, setCount] = useState(shownAtOnce)
  const shown = lines.slice(0, count)
  return (
    <>
      <table className="statement-lines">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Payment</th>
            <th scope="col" className="text-right">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a preview do not change, and parts of an entry are alike
            <tr key={`${line.line}-${index}`}>
              <td className="num text-fg-2">{line.line}</td>
              <td>
                {line.payer && <b>{line.payer}</b>}
                {line.note && <span className="block text-fg-2">{line.note}</span>}
                <Result line={line} />
              </td>
              <td className="text-right">
                {line.amount !== null && <b className="num">{moneyText(line.amount, line.currency)}</b>}
                {line.paidOn && <span className="block text-fg-2">{day(line.paidOn)}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > count ? (
        <p className="pt-3">
          <Button size="sm" variant="line" onClick={() => setCount(count + shownAtOnce)}>
            Show More
          </Button>
        </p>
      ) : (
        total > lines.length && (
          <p className="pt-3 text-sm text-fg-2">
            The first {lines.length} of {total} are shown.
          </p>
        )
      )}
    </>
  )
}

const day = (text: string): string => format(new Date(`${text}T12:00:00`), 'MMM d, yyyy')

function Result({ line: { verdict, kind, invoiceNumber, customer, reason, paymentId } }: { line: PreviewLine }) {
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
        {lineReasons[reason ?? 'structure']}
      </Badge>
    )
  if (verdict === 'known' && paymentId)
    return (
      <a className="link text-sm" href={`/admin/payments?payment=${paymentId}`} target="_blank" rel="noreferrer">
        Already recorded, payment {paymentId}
      </a>
    )
  return <span className="text-sm text-fg-2">{reason && lineReasons[reason]}</span>
}
