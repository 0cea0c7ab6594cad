import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pagesOf } from '#web/pages-of.ts'
import { listCustomerEarlierInvoices } from '../admin-customer-contract.ts'
import { EarlierInvoices } from './earlier-invoices.tsx'

/** A customer's invoices from the previous system, for administrators. */
export function CustomerEarlierInvoices({ userId }: { userId: number }) {
  const [count, setCount] = useState(1)
  const result = useQuery(
    pagesOf(
      listCustomerEarlierInvoices,
      count,
      (after) => ({ params: { userId }, query: { after } }),
      ({ next }) => next,
    ),
  )
  return (
    <EarlierInvoices
      note="Issued in the system that was used before. They are not counted in any figure."
      result={result}
      onMore={() => setCount(count + 1)}
    />
  )
}
