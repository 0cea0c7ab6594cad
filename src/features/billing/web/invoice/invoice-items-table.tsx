import { Money } from '#web/ui/money.tsx'
import type { InvoiceDetail } from '../../contract.ts'

interface Props {
  items: readonly Pick<InvoiceDetail['lines'][number], 'description' | 'amount'>[]
  total: number
  caption?: string
}

/** The items of an invoice; the quantity is always 1. */
export function InvoiceItemsTable({ items: lines, total, caption = 'What this invoice is for' }: Props) {
  return (
    <table className="w-full text-15 [&_td]:py-3 [&_th]:py-2.5 [&_tr]:border-b">
      <caption className="sr-only">{caption}</caption>
      <thead className="text-left text-fg-2 text-sm [&_th]:font-semibold">
        <tr>
          <th scope="col">Description</th>
          <th scope="col" className="px-3 text-right max-sm:hidden">
            Quantity
          </th>
          <th scope="col" className="px-3 text-right max-sm:hidden">
            Unit price
          </th>
          <th scope="col" className="text-right">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.description}>
            <td className="wrap-anywhere pr-3">
              {line.description}
              <span className="num block text-fg-2 text-sm sm:hidden">
                1 × <Money cents={line.amount} />
              </span>
            </td>
            <td className="num px-3 text-right max-sm:hidden">1</td>
            <td className="px-3 text-right max-sm:hidden">
              <Money cents={line.amount} />
            </td>
            <td className="text-right">
              <Money cents={line.amount} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="totals border-b-0! text-lg">
          <th scope="row" className="text-left font-semibold">
            Total
          </th>
          <td className="max-sm:hidden" />
          <td className="max-sm:hidden" />
          <td className="text-right font-semibold">
            <Money cents={total} />
          </td>
        </tr>
      </tfoot>
    </table>
  )
}
