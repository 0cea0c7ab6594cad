import type { RefObject } from 'react'
import { searchKey, useSearchKey, useSearchKeySwitch } from '#web/ui/table/use-search-key.ts'

/** Focuses the channel search when its key is pressed, and shows the key in the empty field. */
export function ChannelSearchKey({ field }: { field: RefObject<HTMLInputElement | null> }) {
  const [isOn] = useSearchKeySwitch()
  useSearchKey(field, isOn)
  return (
    isOn && (
      <span className="search-key" aria-hidden="true">
        {searchKey}
      </span>
    )
  )
}
