import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { CopyButton } from '#web/ui/button/copy-button.tsx'

/** One credential with a copy button; a secret one is hidden until revealed. */
export function CredentialField({
  name,
  text,
  isSecret = false,
}: {
  name: string
  text: string
  isSecret?: boolean | undefined
}) {
  const [isShown, setIsShown] = useState(!isSecret)
  const Icon = isShown ? EyeOff : Eye
  return (
    <div className="grid gap-x-4 border-b px-4 py-3 last:border-b-0">
      <dt className="text-sm text-fg-2">{name}</dt>
      <dd className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        {isShown ? (
          <span className="num min-w-0 font-semibold wrap-anywhere select-all">{text}</span>
        ) : (
          <span className="font-semibold">
            <span aria-hidden="true">••••••••</span>
            <span className="sr-only">Hidden</span>
          </span>
        )}
        <span className="ml-auto flex gap-2">
          {isSecret && (
            <Button variant="ghost" size="sm" onClick={() => setIsShown(!isShown)}>
              <Icon size={16} />
              <span>
                {isShown ? 'Hide' : 'Reveal'}
                <span className="sr-only"> {name.toLowerCase()}</span>
              </span>
            </Button>
          )}
          <CopyButton size="sm" text={text} what={name.toLowerCase()} />
        </span>
      </dd>
    </div>
  )
}
