import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'

/** A search box; its label is the placeholder without the dots unless an aria-label says more. */
export function SearchInput({ className, placeholder, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <span className={clsx('input-group', className)}>
      <Search size={18} className="input-group-start" />
      <input
        autoComplete="off"
        spellCheck={false}
        aria-label={placeholder?.replace(/\.+$/, '')}
        {...rest}
        type="search"
        placeholder={placeholder}
        className="input input-sm"
      />
    </span>
  )
}
