import type { ReactNode } from 'react'
import { CopyButton } from '#web/ui/button/copy-button.tsx'

interface Props {
  name: string
  /** Null while the value is hidden. */
  text: string | null
  /** Fetches the hidden value so that it can be copied. */
  fetchText?: (() => Promise<string>) | undefined
  action?: ReactNode
}

/** Copies text that is still being fetched. Safari refuses a `writeText` that follows a request, because that no longer counts as part of the click. */
const copyLater = (text: Promise<string>): Promise<void> =>
  navigator.clipboard.write([
    new ClipboardItem({ 'text/plain': text.then((loaded) => new Blob([loaded], { type: 'text/plain' })) }),
  ])

/** One value to enter in a player, with a copy button. A URL is shown as text, never as a link. */
export function OwnLineFact({ name, text, fetchText, action }: Props) {
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
          {(text !== null || fetchText) && (
            <CopyButton
              size="sm"
              text={text ?? ''}
              write={text === null && fetchText ? () => copyLater(fetchText()) : undefined}
              what={name.toLowerCase()}
            />
          )}
        </span>
      </dd>
    </div>
  )
}
