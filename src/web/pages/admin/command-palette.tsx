import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useTargets } from './command-targets.ts'
import { useRecentTargets } from './use-recent-targets.ts'

/** Searches actions, customers, invoices and pages: a combobox with a list, fully usable with the keyboard. */
export function CommandPalette({ returnTo }: { returnTo: () => HTMLElement | null }) {
  const id = useId()
  const [open, setOpen] = useState(true)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const hasNavigated = useRef(false)
  const { groups, isSearching, failed } = useTargets(typed)
  const navigate = useNavigate()
  const [, remember] = useRecentTargets()
  const targets = groups.flatMap((group) => group.targets)
  const index = Math.min(active, targets.length - 1)
  const chosen = targets[index]

  useEffect(() => {
    if (chosen) document.getElementById(`${id}-${chosen.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])

  const go = async (target = chosen) => {
    if (!target) return
    hasNavigated.current = true
    setOpen(false)
    // Actions are not stored as recent, since each is done once.
    if (!/[?&](open|confirm)=/.test(target.href)) remember(target)
    await navigate({ href: target.href })
  }
  const steps: Record<string, () => void> = {
    ArrowDown: () => setActive((index + 1) % targets.length),
    ArrowUp: () => setActive((index - 1 + targets.length) % targets.length),
    Enter: () => void go(),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (targets.length > 0) step()
  }
  const statusText = failed
    ? 'The search failed. Please try again.'
    : targets.length === 0
      ? isSearching
        ? 'Searching…'
        : 'Nothing found'
      : `${targets.length} ${targets.length === 1 ? 'result' : 'results'}`

  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Search or run a command"
      size="form"
      // After a navigation the focus moves to the heading of the new page.
      returnTo={() => (hasNavigated.current ? document.querySelector<HTMLElement>('main h1') : returnTo())}
    >
      <Input
        role="combobox"
        aria-label="Find a customer, an invoice, an action or a page"
        aria-expanded={targets.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen && `${id}-${chosen.id}`}
        placeholder="Name, email, invoice number, payment note or page"
        autoComplete="off"
        spellCheck={false}
        maxLength={254}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="palette" aria-busy={isSearching}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: there is no HTML element for a group of options in a listbox
          <div key={group.label} role="group" aria-labelledby={`${id}-${group.label}`}>
            <p id={`${id}-${group.label}`} className="palette-group">
              {group.label}
            </p>
            {group.targets.map((target) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox keeps the focus and handles the keys
              <div
                key={target.id}
                id={`${id}-${target.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={target === chosen}
                className="palette-option"
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => void go(target)}
              >
                <span className="wrap-anywhere">{target.label}</span>
                <span className="palette-note">{target.note}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
      <div className="palette-foot">
        <p role="status">{statusText}</p>
        <p aria-hidden="true">
          <kbd className="kbd">↑</kbd> <kbd className="kbd">↓</kbd> Move <kbd className="kbd">Enter</kbd> Run{' '}
          <kbd className="kbd">Esc</kbd> Close
        </p>
      </div>
    </Dialog>
  )
}
