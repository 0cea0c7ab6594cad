import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

/** A list of benefits with check marks. */
export function Ticks({ items, children }: { items: readonly string[]; children?: ReactNode }) {
  return (
    <ul className="ticks">
      {items.map((item) => (
        <li key={item}>
          <Check size={18} strokeWidth={2.5} />
          <span>{item}</span>
        </li>
      ))}
      {children}
    </ul>
  )
}
