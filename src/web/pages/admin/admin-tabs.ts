import type { ComponentType } from 'react'
import { AdminRolesSection } from '#features/accounts/web/admin-roles-section.tsx'
import { AdminUsersSection } from '#features/accounts/web/admin-users-section.tsx'
import { AdminInvoicesPanel } from '#features/billing/web/admin/admin-invoices-panel.tsx'
import { AdminSubscriptionsPanel } from '#features/subscriptions/web/admin-subscriptions-panel.tsx'
import { AdminTrialsPanel } from '#features/trials/web/admin-trials-panel.tsx'
import { AdminVisitorsSection } from '#features/visitors/web/admin-visitors-section.tsx'
import type { Needs } from '#kit/permissions.ts'
import { ReportsPanel } from './reports-panel.tsx'

interface AdminTab {
  /** The value of the query parameter `tab`. */
  value: string
  label: string
  /** The permission to see the tab. */
  needs: Needs
  Content: ComponentType
}

/** The tabs of the Admin Panel in the order of the specification; the first is the default. A tab needs a component and an entry here. */
export const adminTabs: readonly [AdminTab, ...AdminTab[]] = [
  { value: 'users', label: 'Users', needs: 'customers.read', Content: AdminUsersSection },
  { value: 'subscriptions', label: 'Subscriptions', needs: 'customers.read', Content: AdminSubscriptionsPanel },
  { value: 'roles', label: 'Roles', needs: ['staff.manage', 'customers.access'], Content: AdminRolesSection },
  { value: 'invoices', label: 'Invoices', needs: 'invoices.read', Content: AdminInvoicesPanel },
  { value: 'reports', label: 'Reports', needs: 'reports.read', Content: ReportsPanel },
  { value: 'visitors', label: 'Active Visitors', needs: 'visitors.read', Content: AdminVisitorsSection },
  { value: 'trials', label: 'Trial Requests', needs: 'trials.read', Content: AdminTrialsPanel },
]
