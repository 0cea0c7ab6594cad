import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type OwnLine, revealOwnLine } from '../contract.ts'
import { LineLoginFacts } from './line-login-facts.tsx'

interface Props {
  line: Pick<OwnLine, 'server' | 'xtream'> & { username: string }
  children?: ReactNode
}

/** The customer's own login. Loads the password when it is revealed and removes it from the page when it is hidden. */
export function OwnLogin({ line: { server, username, xtream }, children }: Props) {
  const [password, setPassword] = useState<string | null>(null)
  const reveal = useSend(revealOwnLine)
  const fetchPassword = async () => {
    try {
      return (await reveal.mutateAsync({})).password
    } catch (failure) {
      toast({ title: 'Reveal Failed', description: messageOf(failure), variant: 'destructive' })
      throw failure
    } finally {
      reveal.reset()
    }
  }
  const show = () => fetchPassword().then(setPassword, () => undefined)
  const Icon = password === null ? Eye : EyeOff
  return (
    <LineLoginFacts
      login={{ server, username, xtream, password }}
      fetchPassword={fetchPassword}
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
    >
      {children}
    </LineLoginFacts>
  )
}
