import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'type'> {
  /** The key that leads here, shown while the box is empty. */
  shortcut?: string | undefined
}

/** A search box; its label is the placeholder without the dots unless an aria-label says more. */
export function SearchInput({ className, placeholder, shortcut, ...rest }: Props) {
  return (
    <span className={clsx('input-group', className)}>
      <Search size={18} className="input-group-start" />
      <input
        autoComplete="off"
        spellCheck={false}
        aria-label={placeholder?.replace(/\.+$/, '')}
        aria-keyshortcuts={shortcut}
        title={shortcut && `Press ${shortcut} to search`}
        {...rest}
        type="search"
        placeholder={placeholder}
        className="input input-sm"
      />
      {shortcut && (
        <span className="search-key" aria-hidden="true">
          {shortcut}
        </span>
      )}
    </span>
  )
}
