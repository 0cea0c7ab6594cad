import { clsx } from 'clsx'
import { useRef, useState } from 'react'
import { ChannelMark } from '#web/brand/channel-mark.tsx'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button.tsx'
import type { LineupList } from './lineup-lists.ts'

/** One list of the lineup; a long one shows its beginning and the rest on request. */
export function LineupItems({ list: { id, tab, items, atFirst = items.length } }: { list: LineupList }) {
  const [showsAll, setShowsAll] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const change = () => {
    setShowsAll(!showsAll)
    announce(`${showsAll ? atFirst : items.length} of ${items.length} shown in ${tab}`)
    // Folding takes the page away from under the button.
    if (showsAll) requestAnimationFrame(() => toggle.current?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <>
      <ul className="lineup" id={`${id}-items`}>
        {items.map(({ name, note }, index) => (
          <li key={name} className={clsx('lineup-item', index >= atFirst && !showsAll && 'folded')}>
            <ChannelMark name={name} />
            <div>
              <h3>{name}</h3>
              <p>{note}</p>
            </div>
          </li>
        ))}
      </ul>
      {items.length > atFirst && (
        <Button
          ref={toggle}
          variant="line"
          className="lineup-toggle"
          aria-expanded={showsAll}
          aria-controls={`${id}-items`}
          onClick={change}
        >
          {showsAll ? 'Show Less' : 'Show All'}
          {!showsAll && <span className="num">({items.length})</span>}
        </Button>
      )}
    </>
  )
}
