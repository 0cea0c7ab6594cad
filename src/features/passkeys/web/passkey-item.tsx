import { Button } from '#web/ui/button/button.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { RelativeTime } from '#web/ui/time/relative-time.tsx'
import type { Passkey } from '../contract.ts'

interface Props {
  passkey: Passkey
  onOpen: (dialog: 'rename' | 'remove', button: HTMLElement) => void
}

export function PasskeyItem({ passkey: { name, createdAt, lastUsedAt }, onOpen }: Props) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-4.5 py-4.5 sm:px-6">
      <div className="min-w-0">
        <h3 className="text-base wrap-anywhere">{name}</h3>
        <p className="text-sm text-fg-2">
          Added <DateText value={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              used <RelativeTime value={lastUsedAt} />
            </>
          ) : (
            'not used yet'
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2.5">
        <Button
          variant="line"
          size="sm"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => onOpen('rename', currentTarget)}
        >
          Rename<span className="sr-only"> {name}</span>
        </Button>
        <Button
          variant="line"
          size="sm"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => onOpen('remove', currentTarget)}
        >
          Remove<span className="sr-only"> {name}</span>
        </Button>
      </div>
    </li>
  )
}
