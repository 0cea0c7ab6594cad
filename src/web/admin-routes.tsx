import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { page, root } from './route.tsx'

const desk = createRoute({
  getParentRoute: () => root,
  id: 'desk',
  staticData: { hasOwnFrame: true },
  component: lazyRouteComponent(() => import('./pages/admin/desk/desk-shell.tsx'), 'DeskShell'),
})
const frame = () => desk

// The admin pages of the route table. They fetch their data themselves: loaders would add to the script that every visitor downloads.
const admin = page({
  path: '/admin',
  who: 'admin',
  frame,
  title: 'Admin Panel',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-page.tsx'), 'AdminPage'),
})

const adminOverview = page({
  path: '/admin/overview',
  who: 'admin',
  frame,
  title: 'Overview',
  page: lazyRouteComponent(() => import('./pages/admin-overview-page.tsx'), 'AdminOverviewPage'),
})

const adminInquiries = page({
  path: '/admin/inquiries',
  who: 'admin',
  frame,
  title: 'Inquiries',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-inquiries-page.tsx'), 'AdminInquiriesPage'),
})

const adminAudit = page({
  path: '/admin/audit',
  who: 'admin',
  frame,
  title: 'Audit Log',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-audit-page.tsx'), 'AdminAuditPage'),
})

const adminInsight = page({
  path: '/admin/insight',
  who: 'admin',
  frame,
  title: 'Insight',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-insight-page.tsx'), 'AdminInsightPage'),
})

const adminCustomer = page({
  path: '/admin/users/$userId',
  who: 'admin',
  frame,
  title: 'Customer',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-customer-page.tsx'), 'AdminCustomerPage'),
})

const adminCatalogue = page({
  path: '/admin/catalogue',
  who: 'admin',
  frame,
  title: 'Catalog',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-catalogue-page.tsx'), 'AdminCataloguePage'),
})

const adminLines = page({
  path: '/admin/lines',
  who: 'admin',
  frame,
  title: 'Lines',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-lines-page.tsx'), 'AdminLinesPage'),
})

const adminWatching = page({
  path: '/admin/watching',
  who: 'admin',
  frame,
  title: 'Watching',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-watching-page.tsx'), 'AdminWatchingPage'),
})

const adminPayments = page({
  path: '/admin/payments',
  who: 'admin',
  frame,
  title: 'Payments',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-payments-page.tsx'), 'AdminPaymentsPage'),
})

const adminMails = page({
  path: '/admin/mails',
  who: 'admin',
  frame,
  title: 'Mail Log',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-mails-page.tsx'), 'AdminMailsPage'),
})

const adminSettings = page({
  path: '/admin/settings',
  who: 'admin',
  frame,
  title: 'Settings',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-settings-page.tsx'), 'AdminSettingsPage'),
})

/** Shown in the frame of the brand settings. */
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
  adminInsight,
  adminAudit,
  adminCustomer,
  adminCatalogue,
  adminLines,
  adminWatching,
  adminPayments,
  adminMails,
  adminSettings,
])

export const adminRoutes = [deskRoutes, adminBrandPreview] as const
