import type { ReactNode } from 'react'
import { CopyButton } from '#web/ui/button/copy-button.tsx'

interface Props {
  name: string
  /** Null while the value is hidden. */
  text: string | null
  action?: ReactNode
}

/** One value to enter in a player, with a copy button. An address is shown as text, never as a link. */
export function OwnLineFact({ name, text, action }: Props) {
  return (
    <div className="grid gap-x-4 border-b px-4 py-3">
      <dt className="text-sm text-fg-2">{name}</dt>
      <dd className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        {text === null ? (
          <span className="font-semibold">
            <span aria-hidden="true">••••••••</span>
            <span className="sr-only">Hidden</span>
          </span>
        ) : (
          <span className="num min-w-0 font-semibold wrap-anywhere select-all">{text}</span>
        )}
        <span className="ml-auto flex gap-2">
          {action}
          {text !== null && <CopyButton size="sm" text={text} what={name.toLowerCase()} />}
        </span>
      </dd>
    </div>
  )
}
