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
  MessageSquare,
  MonitorPlay,
  ReceiptText,
  Repeat,
  ScrollText,
  Settings,
  ShieldUser,
  Tv,
  Users,
} from 'lucide-react'
import type { WorkKind } from '#features/desk/rules.ts'

/** A page of the admin area in the navigation. */
export interface DeskPage {
  label: string
  to: string
  /** The tab of the Admin Panel that the entry opens; '' is the first tab. Undefined for a separate page. */
  tab?: string
  Icon: LucideIcon
  /** The kinds of work that wait there. */
  work?: readonly WorkKind[]
  /** Shown in the bar at the bottom of narrow screens, which has room for four. */
  inBottomBar?: true
}
export interface DeskGroup {
  /** The first group has no heading. */
  label?: string
  pages: readonly DeskPage[]
}

/** The navigation of the admin area. A page needs a route, a file with an AdminFrame and one line here. */
export const deskGroups: readonly DeskGroup[] = [
  { pages: [{ label: 'Overview', to: '/admin/overview', Icon: LayoutDashboard, inBottomBar: true }] },
  {
    label: 'Work',
    pages: [
      { label: 'Payments', to: '/admin/payments', Icon: Banknote, work: ['received'], inBottomBar: true },
      { label: 'Trials', to: '/admin', tab: 'trials', Icon: Hourglass, work: ['trial'], inBottomBar: true },
      { label: 'Reports', to: '/admin', tab: 'reports', Icon: Flag, work: ['report'] },
      { label: 'Inquiries', to: '/admin/inquiries', Icon: MessageSquare, work: ['inquiry'] },
      { label: 'Tickets', to: '/admin/tickets', Icon: MessageSquare, work: ['ticket'] },
    ],
  },
  {
    label: 'Customers',
    pages: [
      { label: 'Users', to: '/admin', tab: '', Icon: Users, inBottomBar: true },
      { label: 'Subscriptions', to: '/admin', tab: 'subscriptions', Icon: Repeat },
      { label: 'Roles', to: '/admin', tab: 'roles', Icon: ShieldUser },
    ],
  },
  {
    label: 'Service',
    pages: [
      { label: 'Lines', to: '/admin/lines', Icon: Cable, work: ['line'] },
      { label: 'Catalog', to: '/admin/catalogue', Icon: Tv },
      { label: 'Watching', to: '/admin/watching', Icon: MonitorPlay },
      { label: 'Guide', to: '/admin/guide', Icon: CalendarClock },
    ],
  },
  {
    label: 'Money',
    pages: [
      { label: 'Invoices', to: '/admin', tab: 'invoices', Icon: ReceiptText, work: ['payment', 'card_link'] },
      { label: 'Insight', to: '/admin/insight', Icon: ChartLine },
    ],
  },
  {
    label: 'System',
    pages: [
      { label: 'Mail Log', to: '/admin/mails', Icon: Mail },
      { label: 'Audit Log', to: '/admin/audit', Icon: ScrollText },
      { label: 'Import', to: '/admin/import', Icon: Import },
      { label: 'Settings', to: '/admin/settings', Icon: Settings },
    ],
  },
]
export const deskPages: readonly DeskPage[] = deskGroups.flatMap(({ pages }) => pages)

/** Whether the URL shows this page: its path and, for the Admin Panel, its tab. The page of a customer counts as Users, that of a ticket as Tickets. */
export function isOpen({ to, tab }: DeskPage, path: string, openTab: unknown): boolean {
  if (tab === undefined) return path === to || (to === '/admin/tickets' && path.startsWith(`${to}/`))
  if (tab === '' && path.startsWith('/admin/users/')) return true
  return path === to && tab === (isTab(openTab) ? openTab : '')
}
const isTab = (tab: unknown) => tab === 'visitors' || deskPages.some((page) => page.tab === tab)
