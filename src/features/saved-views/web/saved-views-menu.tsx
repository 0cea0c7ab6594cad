import { useQuery } from '@tanstack/react-query'
import { Bookmark, Pencil, Plus } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import type { ListViewsProps } from '#web/ui/list-views.ts'
import { listSavedViews, type SavedView } from '../admin-contract.ts'
import { useViewAddress } from './use-view-address.ts'

const SavedViewDialog = lazy(() =>
  import('./saved-view-dialog.tsx').then((module) => ({ default: module.SavedViewDialog })),
)

/** The menu of a list's saved views: applies one, saves the current search, filters, order and columns, and edits the administrator's own views. */
export function SavedViewsMenu({ list, hiddenColumns, onHiddenColumns }: ListViewsProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const [address, apply] = useViewAddress()
  const { data: views, error } = useQuery({ ...query(listSavedViews, { query: { list } }), enabled: open })
  const [dialog, openDialog] = useOpenDialog<SavedView | undefined>()

  const choose = (view: SavedView) => {
    onHiddenColumns(view.hiddenColumns)
    apply(view.query)
    setOpen(false)
    button.current?.focus()
  }
  const edit = (view: SavedView | undefined) => {
    setOpen(false)
    if (button.current) openDialog(view, button.current)
  }
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
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the element only handles events that bubble up from the buttons */}
      <div className="table-views" onKeyDown={onKeyDown} onBlur={onBlur}>
        <Button ref={button} variant="line" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <Bookmark size={18} />
          Views
        </Button>
        {/* Focusable, so that a click between two buttons does not close the menu. */}
        <section id={id} className="table-views-list" aria-label="Saved views" tabIndex={-1} hidden={!open}>
          {error && <p role="alert">{messageOf(error)}</p>}
          {views?.length === 0 && <p>No saved views yet.</p>}
          <ul>
            {views?.map((view) => (
              <li key={view.id}>
                <button type="button" className="pop-item" onClick={() => choose(view)}>
                  <span>
                    {view.name}
                    {view.shared && <span className="table-views-note">{sharedText(view)}</span>}
                  </span>
                </button>
                {view.isOwn && (
                  <Button variant="ghost" size="sm" icon aria-label={`Edit ${view.name}`} onClick={() => edit(view)}>
                    <Pencil size={16} />
                  </Button>
                )}
              </li>
            ))}
          </ul>
          <button type="button" className="pop-item" onClick={() => edit(undefined)}>
            <Plus size={18} />
            Save This View
          </button>
        </section>
      </div>
      <Suspense>
        {dialog && (
          <SavedViewDialog
            key={dialog.openCount}
            list={list}
            view={dialog.subject}
            current={{ query: address, hiddenColumns: [...hiddenColumns] }}
            returnTo={dialog.returnTo}
          />
        )}
      </Suspense>
    </>
  )
}

const sharedText = ({ isOwn, owner }: SavedView) => (isOwn ? 'Shared' : `Shared by ${owner}`)
