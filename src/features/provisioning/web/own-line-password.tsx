import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { revealOwnLine } from '../contract.ts'
import { OwnLineFact } from './own-line-fact.tsx'

/** Loads the password when it is revealed and removes it from the page when it is hidden. */
export function OwnLinePassword() {
  const [password, setPassword] = useState<string | null>(null)
  const reveal = useSend(revealOwnLine)
  const show = () =>
    reveal.mutate(
      {},
      {
        onSuccess: (answer) => setPassword(answer.password),
        onError: (failure) =>
          toast({ title: 'Reveal Failed', description: messageOf(failure), variant: 'destructive' }),
        onSettled: () => reveal.reset(),
      },
    )
  const Icon = password === null ? Eye : EyeOff
  return (
    <OwnLineFact
      name="Password"
      text={password}
      action={
        <Button
          variant="ghost"
          size="sm"
          pending={reveal.isPending}
          onClick={password === null ? show : () => setPassword(null)}
        >
          <Icon size={16} />
          <span>
            {password === null ? 'Reveal' : 'Hide'}
            <span className="sr-only"> password</span>
          </span>
        </Button>
      }
    />
  )
}
