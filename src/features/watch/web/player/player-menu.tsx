import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { Choice } from '../engine/stream-types.ts'

export type MenuGroup = {
  title: string
  choices: Choice[]
  chosen: number
  onChoose: (id: number) => void
  /** Shown on phones only. */
  isNarrow?: boolean
}
interface Props {
  label: string
  icon: ReactNode
  groups: MenuGroup[]
  /** Whether the button is highlighted, for example while captions are shown. */
  isOn?: boolean
  className?: string | undefined
}

/** A button of the player that opens a menu of choices. Choosing does not close it; Escape, the button, and a press elsewhere do. */
export function PlayerMenu({ label, icon, groups, isOn, className = '' }: Props) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    panel.current?.querySelector<HTMLInputElement>('input:checked')?.focus()
    const onPress = ({ target }: PointerEvent) => {
      if (!panel.current?.contains(target as Node) && !button.current?.contains(target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [isOpen])
  return (
    <span className={`player-menu ${className}`}>
      <button
        ref={button}
        type="button"
        className="player-control"
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        data-on={isOn || undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {icon}
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the panel from each of its inputs
        <div
          ref={panel}
          id={id}
          className="player-panel"
          data-menu
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.preventDefault()
            setOpen(false)
            button.current?.focus()
          }}
        >
          {groups.map(({ title, choices, chosen, onChoose, isNarrow }) => (
            <fieldset key={title} className={isNarrow ? 'player-narrow' : undefined}>
              <legend>{title}</legend>
              {choices.map((choice) => (
                <label key={choice.id}>
                  <input
                    type="radio"
                    name={`${id} ${title}`}
                    checked={choice.id === chosen}
                    onChange={() => onChoose(choice.id)}
                  />
                  <span>{choice.label}</span>
                  <span className="player-detail num">{choice.detail}</span>
                </label>
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </span>
  )
}
