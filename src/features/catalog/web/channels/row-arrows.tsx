import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { RefObject } from 'react'
import { Button } from '#web/ui/button/button.tsx'

const directions = [
  { sign: -1, Icon: ChevronLeft },
  { sign: 1, Icon: ChevronRight },
]

/** Scrolls a row of cards by one screen. For the mouse only: the keyboard moves from card to card, which scrolls the row. */
export function RowArrows({ row }: { row: RefObject<HTMLElement | null> }) {
  return (
    <span className="row-arrows" aria-hidden="true">
      {directions.map(({ sign, Icon }) => (
        <Button
          key={sign}
          variant="line"
          size="sm"
          icon
          tabIndex={-1}
          onClick={() => row.current?.scrollBy({ left: sign * row.current.clientWidth * 0.8 })}
        >
          <Icon size={18} />
        </Button>
      ))}
    </span>
  )
}
