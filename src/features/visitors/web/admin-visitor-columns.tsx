import { Monitor, MonitorSmartphone, Smartphone, Tablet, Tv } from 'lucide-react'
import { deviceText } from '#kit/device-name.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Clipped } from '#web/ui/clipped.tsx'
import { columnsFor } from '#web/ui/table/data-table-features.ts'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import { UserMark } from '#web/ui/user-mark.tsx'
import type { Visitor } from '../admin-contract.ts'
import { pageName } from '../rules.ts'
import { visitorHeadings } from '../visitor-headings.ts'

const column = columnsFor<Visitor>()

const deviceTypes = {
  desktop: { Icon: Monitor, name: 'Desktop' },
  mobile: { Icon: Smartphone, name: 'Mobile' },
  tablet: { Icon: Tablet, name: 'Tablet' },
  tv: { Icon: Tv, name: 'TV' },
  other: { Icon: MonitorSmartphone, name: 'Other' },
}

export const visitorColumns = column.columns([
  column.accessor('username', {
    header: visitorHeadings.username,
    enableSorting: true,
    enableHiding: false,
    meta: { block: 'title' },
    cell: ({ row: { original: visitor } }) =>
      visitor.username === null ? (
        <span className="text-fg-2">Anonymous</span>
      ) : (
        <span className="cell-who">
          <UserMark id={colorSeedOf(visitor.username)} name={visitor.username} />
          <Clipped text={visitor.username} />
          <Badge variant="default">Logged In</Badge>
        </span>
      ),
  }),
  column.accessor('ipAddress', {
    header: 'Location',
    cell: ({ row: { original: visitor } }) =>
      visitor.country === null ? (
        <span className="num">{visitor.ipAddress}</span>
      ) : (
        <span className="cell-stack">
          <span className="num">{visitor.ipAddress}</span>
          <span className="block text-fg-2">{visitor.country}</span>
        </span>
      ),
  }),
  column.accessor('path', {
    header: visitorHeadings.path,
    enableSorting: true,
    cell: ({ row: { original: visitor } }) => <Clipped wide text={pageName(visitor.path)} title={visitor.path} />,
  }),
  column.accessor('device', {
    header: visitorHeadings.device,
    cell: ({ row: { original: visitor } }) => {
      const { Icon, name } = deviceTypes[visitor.device.type]
      return (
        <span className="inline-flex items-center gap-2 align-middle" title={visitor.userAgent}>
          <Icon size={16} className="flex-none text-fg-2" />
          <span>
            {deviceText(visitor.device)}
            <span className="text-fg-2"> ({name})</span>
          </span>
        </span>
      )
    },
  }),
  column.accessor('lastActive', {
    header: visitorHeadings.lastActive,
    enableSorting: true,
    meta: { look: 'muted' },
    cell: ({ row }) => <RelativeTime value={row.original.lastActive} className="num" />,
  }),
])

/** Returns a number for a username, which selects the color of its mark. Visitors have no numeric id. */
const colorSeedOf = (name: string): number => [...name].reduce((sum, char) => sum + char.charCodeAt(0), 0)
