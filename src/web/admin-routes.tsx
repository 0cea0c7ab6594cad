import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { getSampleContent } from '#features/catalog/admin-contract.ts'
import { getSetup } from '#features/desk/admin-overview-contract.ts'
import { getPaymentMethods } from '#features/settings/contract.ts'
import { query } from './data.ts'
import { page, root } from './route.tsx'

const desk = createRoute({
  getParentRoute: () => root,
  id: 'desk',
  staticData: { hasOwnFrame: true },
  component: lazyRouteComponent(() => import('./pages/admin/desk/desk-shell.tsx'), 'DeskShell'),
})
const inDesk = {
  who: 'admin' as const,
  frame: () => desk,
  search: (params: Record<string, unknown>) => params as Record<string, string | number | undefined>,
}

// The routes of the admin pages. They fetch their data themselves: loaders would add to the script that every visitor downloads. Only the server loads data
// that determines the layout of a page, because the content would otherwise move when the data arrives.
const admin = page({
  path: '/admin',
  ...inDesk,
  title: 'Admin Panel',
  tryLoad: () => (import.meta.env.SSR ? [query(getPaymentMethods)] : []),
  page: lazyRouteComponent(() => import('./pages/admin-page.tsx'), 'AdminPage'),
})

const adminOverview = page({
  path: '/admin/overview',
  ...inDesk,
  title: 'Overview',
  tryLoad: () => (import.meta.env.SSR ? [query(getSetup)] : []),
  page: lazyRouteComponent(() => import('./pages/admin-overview-page.tsx'), 'AdminOverviewPage'),
})

const adminInquiries = page({
  path: '/admin/inquiries',
  ...inDesk,
  title: 'Inquiries',
  page: lazyRouteComponent(() => import('./pages/admin-inquiries-page.tsx'), 'AdminInquiriesPage'),
})

const adminTickets = page({
  path: '/admin/tickets/{-$ticketId}',
  ...inDesk,
  title: 'Tickets',
  page: lazyRouteComponent(() => import('./pages/admin/tickets/admin-tickets-page.tsx'), 'AdminTicketsPage'),
})

const adminAnnouncements = page({
  path: '/admin/announcements',
  ...inDesk,
  title: 'Announcements',
  page: lazyRouteComponent(
    () => import('./pages/admin/announcements/admin-announcements-page.tsx'),
    'AdminAnnouncementsPage',
  ),
})

const adminAudit = page({
  path: '/admin/audit',
  ...inDesk,
  title: 'Audit Log',
  page: lazyRouteComponent(() => import('./pages/admin-audit-page.tsx'), 'AdminAuditPage'),
})

const adminInsight = page({
  path: '/admin/insight',
  ...inDesk,
  title: 'Insight',
  page: lazyRouteComponent(() => import('./pages/admin-insight-page.tsx'), 'AdminInsightPage'),
})

const adminCustomer = page({
  path: '/admin/users/$userId',
  ...inDesk,
  title: 'Customer',
  page: lazyRouteComponent(() => import('./pages/admin-customer-page.tsx'), 'AdminCustomerPage'),
})

const adminCatalog = page({
  path: '/admin/catalogue',
  ...inDesk,
  title: 'Catalog',
  tryLoad: () => (import.meta.env.SSR ? [query(getSampleContent)] : []),
  page: lazyRouteComponent(() => import('./pages/admin-catalog-page.tsx'), 'AdminCatalogPage'),
})

const adminLines = page({
  path: '/admin/lines',
  ...inDesk,
  title: 'Lines',
  page: lazyRouteComponent(() => import('./pages/admin-lines-page.tsx'), 'AdminLinesPage'),
})

const adminWatching = page({
  path: '/admin/watching',
  ...inDesk,
  title: 'Watching',
  page: lazyRouteComponent(() => import('./pages/admin-watching-page.tsx'), 'AdminWatchingPage'),
})

const adminGuide = page({
  path: '/admin/guide',
  ...inDesk,
  title: 'Guide',
  page: lazyRouteComponent(() => import('./pages/admin/admin-guide-page.tsx'), 'AdminGuidePage'),
})

const adminPayments = page({
  path: '/admin/payments',
  ...inDesk,
  title: 'Payments',
  page: lazyRouteComponent(() => import('./pages/admin-payments-page.tsx'), 'AdminPaymentsPage'),
})

const adminImport = page({
  path: '/admin/import',
  ...inDesk,
  title: 'Import',
  page: lazyRouteComponent(() => import('./pages/admin-import-page.tsx'), 'AdminImportPage'),
})

const adminMails = page({
  path: '/admin/mails',
  ...inDesk,
  title: 'Mail Log',
  page: lazyRouteComponent(() => import('./pages/admin-mails-page.tsx'), 'AdminMailsPage'),
})

const adminSettings = page({
  path: '/admin/settings',
  ...inDesk,
  title: 'Settings',
  page: lazyRouteComponent(() => import('./pages/admin-settings-page.tsx'), 'AdminSettingsPage'),
})

/** Shown in an iframe on the brand settings page. */
const adminBrandPreview = page({
  path: '/admin/brand-preview',
  who: 'admin',
  title: 'Brand preview',
  frameable: true,
  page: lazyRouteComponent(() => import('./pages/admin-brand-preview-page.tsx'), 'AdminBrandPreviewPage'),
})

const deskRoutes = desk.addChildren([
  admin,
  adminOverview,
  adminInquiries,
  adminTickets,
  adminInsight,
  adminAnnouncements,
  adminAudit,
  adminCustomer,
  adminCatalog,
  adminLines,
  adminWatching,
  adminGuide,
  adminPayments,
  adminImport,
  adminMails,
  adminSettings,
])

export const adminRoutes = [deskRoutes, adminBrandPreview] as const
