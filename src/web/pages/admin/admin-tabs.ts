import type { ComponentType } from 'react'
import { AdminRolesSection } from '#features/accounts/web/admin-roles-section.tsx'
import { AdminUsersSection } from '#features/accounts/web/admin-users-section.tsx'
import { AdminInvoicesPanel } from '#features/billing/web/admin/admin-invoices-panel.tsx'
import { AdminReportsSection } from '#features/reports/web/admin-reports-section.tsx'
import { AdminSubscriptionsPanel } from '#features/subscriptions/web/admin-subscriptions-panel.tsx'
import { AdminTrialsPanel } from '#features/trials/web/admin-trials-panel.tsx'
import { AdminVisitorsSection } from '#features/visitors/web/admin-visitors-section.tsx'

interface AdminTab {
  /** As it stands in the address. */
  value: string
  label: string
  Panel: ComponentType
}

/** The tabs of the Admin Panel in the specification's order; the first one is where it opens. A tab is one file and one line here. */
export const adminTabs: readonly [AdminTab, ...AdminTab[]] = [
  { value: 'users', label: 'Users', Panel: AdminUsersSection },
  { value: 'subscriptions', label: 'Subscriptions', Panel: AdminSubscriptionsPanel },
  { value: 'roles', label: 'Roles', Panel: AdminRolesSection },
  { value: 'invoices', label: 'Invoices', Panel: AdminInvoicesPanel },
  { value: 'reports', label: 'Reports', Panel: AdminReportsSection },
  { value: 'visitors', label: 'Active Visitors', Panel: AdminVisitorsSection },
  { value: 'trials', label: 'Trial Requests', Panel: AdminTrialsPanel },
]
