import { ArrowDown, ArrowUp, Eye, EyeOff } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { useMay } from '#web/ui/permission/use-may.ts'

interface Props {
  /** The name of the entry; also part of the accessible names of the buttons. */
  name: string
  hidden: boolean
  badges?: ReactNode
  detail?: ReactNode
  /** Shown at the end of the text, for example a price. */
  aside?: ReactNode
  /** Whether a request to hide or show the entry is pending. */
  pending: boolean
  onEdit: (button: HTMLElement) => void
  onHide: () => void
  /** For sorted lists. The id identifies the buttons, so that they keep the focus after a move. */
  position?: { id: string; isFirst: boolean; isLast: boolean; onMove: (direction: 'up' | 'down') => void }
}

/** A catalog entry with its actions. In a sorted list Alt and an arrow key move it too. */
export function AdminEntryRow({ name, hidden, badges, detail, aside, pending, onEdit, onHide, position }: Props) {
  const mayEdit = useMay()('catalog.edit')
  const onKeyDown = (event: KeyboardEvent) => {
    if (!position || !mayEdit || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    position.onMove(event.key === 'ArrowUp' ? 'up' : 'down')
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
      <May needs="catalog.edit">
        <div className="entry-actions">
          {position && (
            <>
              <Button
                id={`${position.id}-up`}
                variant="ghost"
                size="sm"
                icon
                aria-label={`Move ${name} up`}
                aria-disabled={position.isFirst}
                onClick={() => position.onMove('up')}
              >
                <ArrowUp size={18} />
              </Button>
              <Button
                id={`${position.id}-down`}
                variant="ghost"
                size="sm"
                icon
                aria-label={`Move ${name} down`}
                aria-disabled={position.isLast}
                onClick={() => position.onMove('down')}
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
      </May>
    </li>
  )
}
