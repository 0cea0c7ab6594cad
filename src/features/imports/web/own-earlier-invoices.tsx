import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pagesOf } from '#web/pages-of.ts'
import { listEarlierInvoices } from '../contract.ts'
import { EarlierInvoices } from './earlier-invoices.tsx'

/** The customer's own invoices from the previous system. */
export function OwnEarlierInvoices() {
  const [count, setCount] = useState(1)
  const result = useQuery(
    pagesOf(
      listEarlierInvoices,
      count,
      (after) => ({ query: { after } }),
      ({ next }) => next,
    ),
  )
  return (
    <EarlierInvoices
      note="These invoices were issued in the system that was used before. They are kept for your information and cannot be paid here."
      result={result}
      onMore={() => setCount(count + 1)}
      className="mt-6"
    />
  )
}
