import { BellRing, History } from 'lucide-react'
import { durationText } from '../rules.ts'

const categories = [
  ['entertainment', 'Entertainment'],
  ['movies', 'Movies'],
  ['sports', 'Sports and teams'],
  ['news', 'News'],
  ['kids', 'Kids'],
  ['international', 'International'],
] as const

/** What the colors and icons of the grid mean. `archiveHours`: how far back the longest archive goes. */
export function GuideLegend({ archiveHours }: { archiveHours: number }) {
  const days = Math.floor(archiveHours / 24)
  return (
    <p className="guide-foot guide-legend">
      {categories.map(([id, name]) => (
        <span key={id} data-category={id}>
          <i />
          {name}
        </span>
      ))}
      {archiveHours > 0 && (
        <span>
          <History size={15} aria-hidden="true" />
          Watch again for {days > 0 ? `${days} ${days === 1 ? 'day' : 'days'}` : durationText(archiveHours * 60)}
        </span>
      )}
      <span>
        <BellRing size={15} aria-hidden="true" />
        Reminder set
      </span>
    </p>
  )
}
