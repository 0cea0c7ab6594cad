import type { LinkProps } from '@tanstack/react-router'

/**
 * The pages below /admin that are no tab, as the panel's own navigation offers them. A page is one file whose content stands
 * in an AdminFrame, one line in the route table and one line here.
 */
export const adminPages: readonly { to: NonNullable<LinkProps['to']>; label: string }[] = [
  { to: '/admin/inquiries', label: 'Inquiries' },
  { to: '/admin/lines', label: 'Lines' },
  { to: '/admin/audit', label: 'Audit Log' },
  { to: '/admin/catalogue', label: 'Catalogue' },
  { to: '/admin/mails', label: 'Mail Log' },
  { to: '/admin/settings', label: 'Settings' },
]
