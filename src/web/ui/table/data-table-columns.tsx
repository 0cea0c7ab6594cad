import { Columns3 } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { Button } from '../button/button.tsx'
import { Checkbox } from '../form/checkbox.tsx'

interface Props {
  columns: readonly { id: string; label: string; shown: boolean }[]
  onToggle: (id: string) => void
}

/** The column chooser: a button that opens a group of checkboxes. Escape and moving the focus out close it. */
export function DataTableColumns({ columns, onToggle }: Props) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return
    event.stopPropagation()
    setOpen(false)
    button.current?.focus()
  }
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setOpen(false)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles events that bubble up from the button and the checkboxes
    <div className="table-columns" onKeyDown={onKeyDown} onBlur={onBlur}>
      <Button
        ref={button}
        variant="line"
        aria-expanded={open}
        aria-controls={id}
        title="Columns"
        onClick={() => setOpen(!open)}
      >
        <Columns3 size={18} />
        <span className="table-label">Columns</span>
      </Button>
      {/* Focusable, so that a click between two checkboxes does not close it. */}
      <fieldset id={id} className="table-columns-list" tabIndex={-1} hidden={!open}>
        <legend className="sr-only">Columns shown</legend>
        {columns.map((column) => (
          <Checkbox key={column.id} label={column.label} checked={column.shown} onChange={() => onToggle(column.id)} />
        ))}
      </fieldset>
    </div>
  )
}
