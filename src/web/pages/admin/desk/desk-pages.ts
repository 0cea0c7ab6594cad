import {
  Banknote,
  Cable,
  CalendarClock,
  ChartLine,
  Flag,
  Hourglass,
  Import,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  Megaphone,
  MessageSquare,
  MonitorPlay,
  ReceiptText,
  Repeat,
  ScrollText,
  Settings,
  ShieldUser,
  Ticket,
  Tv,
  Users,
} from 'lucide-react'
import type { WorkKind } from '#features/desk/rules.ts'
import type { Needs } from '#kit/permissions.ts'

/** A page of the admin area in the navigation. */
export interface DeskPage {
  label: string
  to: string
  /** The tab of the Admin Panel that the entry opens; '' is the first tab. Undefined for a separate page. */
  tab?: string
  /** The permission to see the page. */
  needs: Needs
  Icon: LucideIcon
  /** The kinds of work that wait on the page. */
  work?: readonly WorkKind[]
  /** Shown in the bar at the bottom of narrow screens, which has room for four. */
  inBottomBar?: true
}
export interface DeskGroup {
  /** The first group has no heading. */
  label?: string
  pages: readonly DeskPage[]
}

/** The navigation of the admin area. A page needs a route, a file with an AdminFrame and one entry here. */
export const deskGroups: readonly DeskGroup[] = [
  {
    pages: [{ label: 'Overview', to: '/admin/overview', needs: 'desk.use', Icon: LayoutDashboard, inBottomBar: true }],
  },
  {
    label: 'Work',
    pages: [
      {
        label: 'Payments',
        to: '/admin/payments',
        needs: 'payments.read',
        Icon: Banknote,
        work: ['received'],
        inBottomBar: true,
      },
      {
        label: 'Trials',
        to: '/admin',
        tab: 'trials',
        needs: 'trials.read',
        Icon: Hourglass,
        work: ['trial'],
        inBottomBar: true,
      },
      { label: 'Reports', to: '/admin', tab: 'reports', needs: 'reports.read', Icon: Flag, work: ['report'] },
      { label: 'Inquiries', to: '/admin/inquiries', needs: 'inquiries.read', Icon: MessageSquare, work: ['inquiry'] },
      { label: 'Tickets', to: '/admin/tickets', needs: 'tickets.read', Icon: Ticket, work: ['ticket'] },
    ],
  },
  {
    label: 'Customers',
    pages: [
      { label: 'Users', to: '/admin', tab: '', needs: 'customers.read', Icon: Users, inBottomBar: true },
      { label: 'Subscriptions', to: '/admin', tab: 'subscriptions', needs: 'customers.read', Icon: Repeat },
      { label: 'Announcements', to: '/admin/announcements', needs: 'announcements.read', Icon: Megaphone },
      { label: 'Roles', to: '/admin', tab: 'roles', needs: ['staff.manage', 'customers.access'], Icon: ShieldUser },
    ],
  },
  {
    label: 'Service',
    pages: [
      { label: 'Lines', to: '/admin/lines', needs: 'lines.read', Icon: Cable, work: ['line'] },
      { label: 'Catalog', to: '/admin/catalogue', needs: 'catalog.read', Icon: Tv },
      { label: 'Watching', to: '/admin/watching', needs: 'watching.read', Icon: MonitorPlay },
      { label: 'Guide', to: '/admin/guide', needs: 'guide.read', Icon: CalendarClock },
    ],
  },
  {
    label: 'Money',
    pages: [
      {
        label: 'Invoices',
        to: '/admin',
        tab: 'invoices',
        needs: 'invoices.read',
        Icon: ReceiptText,
        work: ['payment', 'card_link'],
      },
      { label: 'Insight', to: '/admin/insight', needs: 'insight.read', Icon: ChartLine },
    ],
  },
  {
    label: 'System',
    pages: [
      { label: 'Mail Log', to: '/admin/mails', needs: 'mails.read', Icon: Mail },
      { label: 'Audit Log', to: '/admin/audit', needs: 'audit.read', Icon: ScrollText },
      { label: 'Import', to: '/admin/import', needs: 'imports.read', Icon: Import },
      { label: 'Settings', to: '/admin/settings', needs: 'settings.read', Icon: Settings },
    ],
  },
]
export const deskPages: readonly DeskPage[] = deskGroups.flatMap(({ pages }) => pages)

/**
 * Returns whether the URL shows this page, by its path and, for the Admin Panel, its tab. The page of a customer counts as Users, that of a ticket as Tickets.
 */
export function isOpen({ to, tab }: DeskPage, path: string, openTab: unknown): boolean {
  if (tab === undefined) return path === to || (to === '/admin/tickets' && path.startsWith(`${to}/`))
  if (tab === '' && path.startsWith('/admin/users/')) return true
  return path === to && tab === (isTab(openTab) ? openTab : '')
}
/** Returns the permission to see the page at the URL; undefined for a page that is not in the navigation. */
export function neededFor(path: string, openTab: unknown): Needs | undefined {
  if (path === '/admin' && openTab === 'visitors') return 'visitors.read'
  return deskPages.find((page) => isOpen(page, path, openTab))?.needs
}
const isTab = (tab: unknown) => tab === 'visitors' || deskPages.some((page) => page.tab === tab)
