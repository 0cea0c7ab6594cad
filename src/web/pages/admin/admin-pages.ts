import type { LinkProps } from '@tanstack/react-router'

/**
 * The pages below /admin that are not tabs, in the order of the navigation. A page needs a file with an AdminFrame, a route and an
 * entry here.
 */
export const adminPages: readonly { to: NonNullable<LinkProps['to']>; label: string }[] = [
  { to: '/admin/overview', label: 'Overview' },
  { to: '/admin/payments', label: 'Payments' },
  { to: '/admin/inquiries', label: 'Inquiries' },
  { to: '/admin/lines', label: 'Lines' },
  { to: '/admin/insight', label: 'Insight' },
  { to: '/admin/audit', label: 'Audit Log' },
  { to: '/admin/catalogue', label: 'Catalog' },
  { to: '/admin/mails', label: 'Mail Log' },
  { to: '/admin/settings', label: 'Settings' },
]
