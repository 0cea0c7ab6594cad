import type { ComponentType } from 'react'
import { AdminUsersPanel } from '#features/accounts/web/admin-users-panel.tsx'
import { AdminInvoicesPanel } from '#features/billing/web/admin-invoices-panel.tsx'

interface AdminTab {
  /** As it stands in the address. */
  value: string
  label: string
  Panel: ComponentType
}

/** The tabs of the Admin Panel in the specification's order; the first one is where it opens. A tab is one file and one line here. */
export const adminTabs: readonly [AdminTab, ...AdminTab[]] = [
  { value: 'users', label: 'Users', Panel: AdminUsersPanel },
  { value: 'invoices', label: 'Invoices', Panel: AdminInvoicesPanel },
]
