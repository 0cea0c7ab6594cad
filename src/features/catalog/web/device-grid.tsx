import { Cast, Flame, Globe, Laptop, type LucideIcon, Router, Smartphone, Tablet, Tv } from 'lucide-react'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { DeviceCategory, DeviceIcon } from '../contract.ts'
import { deviceIconOf } from '../rules.ts'

const icons: Record<DeviceIcon, LucideIcon> = {
  flame: Flame,
  smartphone: Smartphone,
  tablet: Tablet,
  tv: Tv,
  laptop: Laptop,
  globe: Globe,
  router: Router,
  cast: Cast,
}

/** The supported devices, one card per category. Each card shows at most `max` devices. */
export function DeviceGrid({ categories, max }: { categories: DeviceCategory[]; max?: number }) {
  if (categories.length === 0)
    return <EmptyState title="No devices yet">Our list of devices is coming soon.</EmptyState>
  return (
    <ul className="tiles">
      {categories.map(({ id, name, icon, devices }) => {
        const Icon = icons[deviceIconOf(icon)]
        const more = max === undefined ? 0 : Math.max(0, devices.length - max)
        return (
          <li key={id} className="tile">
            <Icon className="tile-icon" size={26} />
            <h3>{name}</h3>
            <ul className="tile-list">
              {devices.slice(0, max).map((device) => (
                <li key={device}>{device}</li>
              ))}
              {more > 0 && <li>and {more} more</li>}
            </ul>
          </li>
        )
      })}
    </ul>
  )
}
