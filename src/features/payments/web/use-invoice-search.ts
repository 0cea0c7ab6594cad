import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { type AdminInvoice, listAllInvoices } from '#features/billing/admin-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'

const minLength = 2

/** Returns the invoices that match a typed text, optionally of one status. `rows` is undefined before the first answer and while the text is too short. */
export function useInvoiceSearch(
  typed: string,
  pageSize: number,
  status?: AdminInvoice['status'],
): { rows?: AdminInvoice[]; problem?: string } {
  const search = useDeferredValue(typed.trim())
  const isLongEnough = search.length >= minLength
  const { data, error } = useQuery({
    ...query(listAllInvoices, { query: { search, pageSize, ...(status && { status }) } }),
    enabled: isLongEnough,
    placeholderData: keepPreviousData,
  })
  return { ...(isLongEnough && data && { rows: data.rows }), ...(error && { problem: messageOf(error) }) }
}
