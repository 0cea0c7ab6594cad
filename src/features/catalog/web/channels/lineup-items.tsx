import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useRef, useState } from 'react'
import { ChannelMark } from '#web/brand/channel-mark.tsx'
import { announce } from '#web/ui/announce.ts'
import { Button } from '#web/ui/button/button.tsx'
import { categoryOf, type LineupList } from './lineup-lists.ts'

/** A list of the lineup. A long list shows its first items and a button for the rest. */
export function LineupItems({ list }: { list: LineupList }) {
  const { id, tab, items, initialCount = items.length } = list
  const [showsAll, setShowsAll] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const change = () => {
    setShowsAll(!showsAll)
    announce(`${showsAll ? initialCount : items.length} of ${items.length} shown in ${tab}`)
    // The button may move out of view when the list gets shorter.
    if (showsAll) requestAnimationFrame(() => toggle.current?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <>
      <ul className="lineup" id={`${id}-items`}>
        {items.map(({ name, note, code }, index) => (
          <li key={name} className={clsx(index >= initialCount && !showsAll && 'folded')}>
            <Link
              to={'/channels' as never}
              search={{ category: categoryOf(list, name) } as never}
              className="lineup-item"
            >
              <ChannelMark name={name} letters={code} />
              <div>
                <h3>{name}</h3>
                <p>{note}</p>
              </div>
            </Link>
          </li>
        ))}
      </ul>
      {items.length > initialCount && (
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
