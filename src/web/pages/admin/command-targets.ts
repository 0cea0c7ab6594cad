import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { listUsers } from '#features/accounts/contract.ts'
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
/** From here on the server is asked. */
const shortest = 2
const each = 5

/** Where the palette can lead for what is typed: tabs and pages at once, people and invoices as the server finds them. */
export function useTargets(typed: string): { groups: TargetGroup[]; isSearching: boolean; failed: boolean } {
  const navigate = useNavigate()
  const wanted = typed.trim().toLowerCase()
  const search = useSettled(wanted)
  const enabled = search.length >= shortest
  const asked = { query: { search, pageSize: each } }
  const users = useQuery({ ...query(listUsers, asked), enabled, placeholderData: keepPreviousData })
  const invoices = useQuery({ ...query(listAllInvoices, asked), enabled, placeholderData: keepPreviousData })

  const places: Target[] = [
    ...adminTabs.map(({ value, label }, index) => ({
      id: `tab-${value}`,
      label,
      note: 'Tab',
      go: () => navigate({ to: '/admin', search: index === 0 ? {} : { tab: value } }),
    })),
    ...adminPages.map(({ to, label }) => ({ id: `page-${to}`, label, note: 'Page', go: () => navigate({ to }) })),
  ]
  const people = (users.data?.rows ?? []).map(({ id, username, email }) => ({
    id: `user-${id}`,
    label: username,
    note: email,
    go: () => navigate({ to: '/admin/users/$userId', params: { userId: String(id) } }),
  }))
  const bills = (invoices.data?.rows ?? []).map(({ id, invoiceNumber, username, status }) => ({
    id: `invoice-${id}`,
    label: invoiceNumber,
    note: `${username}, ${status}`,
    go: () => navigate({ to: '/admin', search: { tab: 'invoices', search: invoiceNumber } }),
  }))
  const groups = [
    { label: 'Go to', targets: places.filter(({ label }) => label.toLowerCase().includes(wanted)) },
    { label: 'Users', targets: enabled ? people : [] },
    { label: 'Invoices', targets: enabled ? bills : [] },
  ]
  return {
    groups: groups.filter(({ targets }) => targets.length > 0),
    isSearching: wanted.length >= shortest && (search !== wanted || users.isFetching || invoices.isFetching),
    failed: users.isError || invoices.isError,
  }
}

/** A text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
