import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

export interface TabItem<Value extends string> {
  value: Value
  label: string
  count?: number
  /** Rendered instead of the label. */
  content?: ReactNode
}

interface Props<Value extends string> {
  /** Prefix of the ids that connect the tabs with their TabPanel. */
  id: string
  /** The accessible name of the tab list. */
  label: string
  tabs: readonly TabItem<Value>[]
  value: Value
  onChange: (value: Value) => void
  look?: 'tabs' | 'pills' | 'tiers' | 'rail'
}

const steps: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** A controlled tab list, so that the selection can be kept in the URL. The arrow keys, Home and End select a tab immediately. */
export function Tabs<Value extends string>({ id, label, tabs, value, onChange, look = 'tabs' }: Props<Value>) {
  const list = useRef<HTMLDivElement>(null)

  // In a scrolling row the selected tab may be out of view. Scrolls the row only, not the page.
  useEffect(() => {
    const row = list.current
    const chosen = row?.querySelector('[aria-selected="true"]')?.getBoundingClientRect()
    if (row && chosen)
      row.scrollLeft += chosen.left - row.getBoundingClientRect().left - (row.clientWidth - chosen.width) / 2
  }, [])

  const move = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const index = step(
      tabs.findIndex((tab) => tab.value === value),
      tabs.length,
    )
    const target = tabs[index]
    if (!target) return
    const element = list.current?.children[index]
    if (element instanceof HTMLElement) {
      element.focus()
      element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    onChange(target.value)
  }

  return (
    <div ref={list} role="tablist" aria-label={label} className={look} onKeyDown={move}>
      {tabs.map((tab) => {
        const selected = tab.value === value
        return (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-tab-${tab.value}`}
            aria-controls={selected ? `${id}-panel-${tab.value}` : undefined}
            aria-selected={selected}
            tabIndex={selected ? 0 : -1}
            className={look === 'tiers' ? 'tier' : 'tab'}
            onClick={() => onChange(tab.value)}
          >
            {tab.content ?? (
              <>
                <span className="tab-label" data-label={tab.label}>
                  {tab.label}
                </span>
                {tab.count !== undefined && <span className="tab-count num">{tab.count}</span>}
              </>
            )}
          </button>
        )
      })}
    </div>
  )
}
