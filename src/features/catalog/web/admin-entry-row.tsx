import { ArrowDown, ArrowUp, Eye, EyeOff } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'

interface Props {
  /** Names the row in its buttons. */
  name: string
  hidden: boolean
  badges?: ReactNode
  detail?: ReactNode
  /** At the end of the text: a price. */
  aside?: ReactNode
  /** The button is being worked on. */
  pending: boolean
  onEdit: (button: HTMLElement) => void
  onHide: () => void
  /** Where entries have places: their ids carry the focus along. */
  place?: { id: string; isFirst: boolean; isLast: boolean; onMove: (way: 'up' | 'down') => void }
}

/** One entry of the catalogue with what can be done to it. In a list with places, Alt and an arrow key move it too. */
export function AdminEntryRow({ name, hidden, badges, detail, aside, pending, onEdit, onHide, place }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (!place || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    place.onMove(event.key === 'ArrowUp' ? 'up' : 'down')
  }
  return (
    <li className={hidden ? 'entry entry-hidden' : 'entry'} onKeyDown={onKeyDown}>
      <div className="entry-main">
        <p className="entry-title">
          <span>{name}</span>
          {hidden && <Badge variant="outline">Hidden</Badge>}
          {badges}
        </p>
        {detail && <div className="entry-detail">{detail}</div>}
      </div>
      {aside}
      <div className="entry-actions">
        {place && (
          <>
            <Button
              id={`${place.id}-up`}
              variant="ghost"
              size="sm"
              icon
              aria-label={`Move ${name} up`}
              aria-disabled={place.isFirst}
              onClick={() => place.onMove('up')}
            >
              <ArrowUp size={18} />
            </Button>
            <Button
              id={`${place.id}-down`}
              variant="ghost"
              size="sm"
              icon
              aria-label={`Move ${name} down`}
              aria-disabled={place.isLast}
              onClick={() => place.onMove('down')}
            >
              <ArrowDown size={18} />
            </Button>
          </>
        )}
        <Button variant="ghost" size="sm" pending={pending} onClick={onHide}>
          {hidden ? <Eye size={18} /> : <EyeOff size={18} />}
          {hidden ? 'Show' : 'Hide'}
          <span className="sr-only"> {name}</span>
        </Button>
        <Button variant="soft" size="sm" onClick={({ currentTarget }) => onEdit(currentTarget)}>
          Edit
          <span className="sr-only"> {name}</span>
        </Button>
      </div>
    </li>
  )
}
