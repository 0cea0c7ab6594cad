import { X } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'

interface Props {
  noun: string
  count: number
  /** How many of them stand on this page. */
  onPage: number
  actions: ReactNode
  onClear: () => void
}

/** What can be done with the selected rows; absent while there are none. */
export function DataTableBulkBar({ noun, count, onPage, actions, onClear }: Props) {
  if (count === 0) return null
  return (
    <div role="toolbar" aria-label={`Selected ${noun}`} className="bulk-bar" onKeyDown={walk}>
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

/** The arrow keys walk along the buttons, as in any toolbar. */
function walk(event: KeyboardEvent): void {
  const step = steps[event.key]
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button, a[href]')]
  const at = buttons.indexOf(event.target as HTMLElement)
  if (!step || at < 0) return
  event.preventDefault()
  buttons.at((at + step) % buttons.length)?.focus()
}
