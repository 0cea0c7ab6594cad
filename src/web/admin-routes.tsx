import { lazyRouteComponent } from '@tanstack/react-router'
import { page } from './route.tsx'

// The admin pages of the route table. They fetch their data themselves: loaders would add to the script that every visitor downloads.
const admin = page({
  path: '/admin',
  who: 'admin',
  title: 'Admin Panel',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-page.tsx'), 'AdminPage'),
})

const adminOverview = page({
  path: '/admin/overview',
  who: 'admin',
  title: 'Overview',
  page: lazyRouteComponent(() => import('./pages/admin-overview-page.tsx'), 'AdminOverviewPage'),
})

const adminInquiries = page({
  path: '/admin/inquiries',
  who: 'admin',
  title: 'Inquiries',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-inquiries-page.tsx'), 'AdminInquiriesPage'),
})

const adminAudit = page({
  path: '/admin/audit',
  who: 'admin',
  title: 'Audit Log',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-audit-page.tsx'), 'AdminAuditPage'),
})

const adminInsight = page({
  path: '/admin/insight',
  who: 'admin',
  title: 'Insight',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-insight-page.tsx'), 'AdminInsightPage'),
})

const adminCustomer = page({
  path: '/admin/users/$userId',
  who: 'admin',
  title: 'Customer',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-customer-page.tsx'), 'AdminCustomerPage'),
})

const adminCatalogue = page({
  path: '/admin/catalogue',
  who: 'admin',
  title: 'Catalog',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-catalogue-page.tsx'), 'AdminCataloguePage'),
})

const adminLines = page({
  path: '/admin/lines',
  who: 'admin',
  title: 'Lines',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-lines-page.tsx'), 'AdminLinesPage'),
})

const adminPayments = page({
  path: '/admin/payments',
  who: 'admin',
  title: 'Payments',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-payments-page.tsx'), 'AdminPaymentsPage'),
})

const adminMails = page({
  path: '/admin/mails',
  who: 'admin',
  title: 'Mail Log',
  search: (s) => s as Record<string, string | number | undefined>,
  page: lazyRouteComponent(() => import('./pages/admin-mails-page.tsx'), 'AdminMailsPage'),
})

const adminSettings = page({
  path: '/admin/settings',
  who: 'admin',
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

export const adminRoutes = [
  admin,
  adminOverview,
  adminInquiries,
  adminInsight,
  adminAudit,
  adminCustomer,
  adminCatalogue,
  adminLines,
  adminPayments,
  adminMails,
  adminSettings,
  adminBrandPreview,
] as const
