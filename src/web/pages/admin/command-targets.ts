import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { listUsers } from '#features/accounts/admin-contract.ts'
import { listAllInvoices } from '#features/billing/admin-contract.ts'
import { query } from '#web/data.ts'
import { adminPages } from './admin-pages.ts'
import { adminTabs } from './admin-tabs.ts'

export interface Target {
  id: string
  label: string
  note?: string
  go: () => Promise<void>
}
export interface TargetGroup {
  label: string
  targets: Target[]
}

const debounceMs = 200
/** The server is queried from this number of characters. */
const minSearchLength = 2
const maxResults = 5

/** The results for the typed text: tabs and pages immediately, users and invoices once the server responds. */
export function useTargets(typed: string): { groups: TargetGroup[]; isSearching: boolean; failed: boolean } {
  const navigate = useNavigate()
  const typedText = typed.trim().toLowerCase()
  const search = useDebounced(typedText)
  const enabled = search.length >= minSearchLength
  const searchInput = { query: { search, pageSize: maxResults } }
  const users = useQuery({ ...query(listUsers, searchInput), enabled, placeholderData: keepPreviousData })
  const invoices = useQuery({ ...query(listAllInvoices, searchInput), enabled, placeholderData: keepPreviousData })

  const pages: Target[] = [
    ...adminTabs.map(({ value, label }, index) => ({
      id: `tab-${value}`,
      label,
      note: 'Tab',
      go: () => navigate({ to: '/admin', search: index === 0 ? {} : { tab: value } }),
    })),
    ...adminPages.map(({ to, label }) => ({ id: `page-${to}`, label, note: 'Page', go: () => navigate({ to }) })),
  ]
  const userTargets = (users.data?.rows ?? []).map(({ id, username, email }) => ({
    id: `user-${id}`,
    label: username,
    note: email,
    go: () => navigate({ to: '/admin/users/$userId', params: { userId: String(id) } }),
  }))
  const invoiceTargets = (invoices.data?.rows ?? []).map(({ id, invoiceNumber, username, status }) => ({
    id: `invoice-${id}`,
    label: invoiceNumber,
    note: `${username}, ${status}`,
    go: () => navigate({ to: '/admin', search: { tab: 'invoices', search: invoiceNumber } }),
  }))
  const groups = [
    { label: 'Go to', targets: pages.filter(({ label }) => label.toLowerCase().includes(typedText)) },
    { label: 'Users', targets: enabled ? userTargets : [] },
    { label: 'Invoices', targets: enabled ? invoiceTargets : [] },
  ]
  return {
    groups: groups.filter(({ targets }) => targets.length > 0),
    isSearching:
      typedText.length >= minSearchLength && (search !== typedText || users.isFetching || invoices.isFetching),
    failed: users.isError || invoices.isError,
  }
}

/** Returns the text after it has not changed for 200 ms. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
