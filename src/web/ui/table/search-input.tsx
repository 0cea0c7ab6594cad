import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'type'> {
  /** The key that focuses the search, shown while it is empty. */
  shortcut?: string | undefined
}

/** A search input. Its accessible name is the placeholder without trailing dots unless an aria-label is set. */
export function SearchInput({ className, placeholder, shortcut, children, ...rest }: Props) {
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
      {children}
    </span>
  )
}
