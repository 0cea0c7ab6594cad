import { X } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'

interface Props {
  noun: string
  count: number
  /** How many selected rows are on this page. */
  onPage: number
  actions: ReactNode
  onClear: () => void
}

/** The actions for the selected rows; not rendered while no row is selected. */
export function DataTableBulkBar({ noun, count, onPage, actions, onClear }: Props) {
  if (count === 0) return null
  return (
    <div role="toolbar" aria-label={`Selected ${noun}`} className="bulk-bar" onKeyDown={moveFocus}>
      <p className="num">
        <b>{count} selected</b>
        {onPage < count && <span className="bulk-scope">, {onPage} on this page</span>}
      </p>
      {actions}
      <button type="button" className="bulk-clear" onClick={onClear}>
        <X size={16} />
        Clear
      </button>
    </div>
  )
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 }

/** The arrow keys move the focus between the buttons (toolbar pattern). */
function moveFocus(event: KeyboardEvent): void {
  const step = steps[event.key]
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button, a[href]')]
  const at = buttons.indexOf(event.target as HTMLElement)
  if (!step || at < 0) return
  event.preventDefault()
  buttons.at((at + step) % buttons.length)?.focus()
}
