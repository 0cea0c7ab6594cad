import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { searchDesk } from '#features/desk/admin-contract.ts'
import { listPayments } from '#features/payments/admin-contract.ts'
import { exactPayments, paymentsText } from '#features/payments/web/use-confirm-exact.ts'
import { confirmExactUrl } from '#features/payments/web/use-confirm-exact-link.ts'
import { settingLabels } from '#features/settings/section-rules.ts'
import { formatCents } from '#kit/money.ts'
import type { Needs } from '#kit/permissions.ts'
import { query } from '#web/data.ts'
import { useMay } from '#web/ui/permission/use-may.ts'
import { deskPages } from './desk/desk-pages.ts'
import { actionsFor, type Target } from './palette-actions.ts'
import { splitVerb } from './palette-words.ts'
import { useRecentTargets } from './use-recent-targets.ts'

export interface TargetGroup {
  label: string
  targets: Target[]
}

const debounceMs = 150
/** Shorter search texts are not sent to the server. */
const minSearchLength = 3
const shown = { actions: 3, customers: 4, invoices: 4, pages: 6 }

const pages: (Target & { needs: Needs })[] = [
  ...deskPages.map(({ to, tab, label, needs }) => ({
    needs,
    id: `page-${to}-${tab ?? ''}`,
    label,
    note: tab === undefined ? 'Page' : 'Tab',
    href: tab ? `${to}?tab=${tab}` : to,
  })),
  { needs: 'visitors.read', id: 'page-visitors', label: 'Active Visitors', note: 'Tab', href: '/admin?tab=visitors' },
  ...settingLabels.map(({ name, label }) => ({
    needs: 'settings.read' as const,
    id: `setting-${name}`,
    label,
    note: 'Settings',
    href: `/admin/settings?section=${name}`,
  })),
]

/**
 * Returns the palette entries for the typed text: pages immediately, and actions, customers and invoices once the server responds. Without text, returns the
 * work that has waited longest and the most recently opened entries.
 */
export function useTargets(typed: string): { groups: TargetGroup[]; isSearching: boolean; failed: boolean } {
  const { verb, term } = splitVerb(typed)
  const settled = useDebounced(term)
  const isShort = settled.length > 0 && settled.length < minSearchLength
  const found = useQuery({
    ...query(searchDesk, settled ? { query: { search: settled } } : { query: {} }),
    enabled: !isShort,
    placeholderData: keepPreviousData,
  })
  const may = useMay()
  const waiting = useQuery({
    ...query(listPayments, { query: { tab: 'waiting' } }),
    enabled: may('payments.decide') && may('payments.read'),
  })
  const [recent] = useRecentTargets()
  const results = isShort ? undefined : found.data
  const groups = [
    {
      label: 'Actions',
      targets:
        results && verb !== 'open'
          ? [
              ...(term || (verb && verb !== 'confirm') ? [] : exactAction(waiting.data?.rows ?? [])),
              ...actionsFor(results, verb).filter(({ needs }) => may(needs)),
            ].slice(0, shown.actions)
          : [],
    },
    { label: 'Recent', targets: typed.trim() ? [] : recent },
    {
      label: 'Customers',
      targets: term
        ? (results?.customers ?? [])
            .slice(0, shown.customers)
            .map(({ id, username, email, fullName, subscriptionStatus }) => ({
              id: `user-${id}`,
              label: username,
              note: `${fullName ? `${fullName}, ` : ''}${email}, ${subscriptionStatus}`,
              href: `/admin/users/${id}`,
            }))
        : [],
    },
    {
      label: 'Invoices',
      targets: term
        ? (results?.invoices ?? []).slice(0, shown.invoices).map(({ id, invoiceNumber, username, amount, status }) => ({
            id: `invoice-${id}`,
            label: invoiceNumber,
            note: `${username}, ${formatCents(amount)}, ${status}`,
            href: `/admin?tab=invoices&search=${invoiceNumber}`,
          }))
        : [],
    },
    {
      label: 'Pages',
      targets: pages
        .filter(({ label, needs }) => may(needs) && label.toLowerCase().includes(term))
        .slice(0, shown.pages),
    },
  ]
  return {
    groups: groups.filter(({ targets }) => targets.length > 0),
    isSearching: term.length >= minSearchLength && (settled !== term || found.isFetching),
    failed: found.isError,
  }
}

/** Returns the action that confirms all payments that match exactly; no action without such payments. */
function exactAction(rows: Parameters<typeof exactPayments>[0]): Target[] {
  const exact = exactPayments(rows)
  if (exact.length === 0) return []
  return [
    {
      id: 'confirm-exact',
      label: `Confirm ${paymentsText(exact.length)} that ${exact.length === 1 ? 'matches' : 'match'} exactly`,
      note: formatCents(exact.reduce((sum, { openCents }) => sum + openCents, 0)),
      href: confirmExactUrl,
    },
  ]
}

/** Returns the text after it has not changed for `debounceMs`. */
function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
