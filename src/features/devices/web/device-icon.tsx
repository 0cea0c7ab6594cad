import { Laptop, MonitorPlay, Tv } from 'lucide-react'
import type { DeviceKind } from '../rules.ts'

const icons = { browser: Laptop, tv: Tv, app: MonitorPlay }

/** The icon for a kind of device. Decorative, because the kind is shown as text beside it. */
export function DeviceIcon({ kind }: { kind: DeviceKind }) {
  const Icon = icons[kind]
  return <Icon size={20} aria-hidden="true" />
}
