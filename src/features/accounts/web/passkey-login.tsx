import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { confirmPasskey, createPasskeyChallenge } from '#features/passkeys/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'
import { useSignedIn } from './use-signed-in.ts'

/** For browsers that can. The device asks which account; turning it away is no failure. */
export function PasskeyLogin() {
  const ask = useSend(createPasskeyChallenge)
  const confirm = useSend(confirmPasskey)
  const signedIn = useSignedIn()
  const [pending, setPending] = useState(false)

  const logIn = async () => {
    setPending(true)
    try {
      const [{ startAuthentication }, optionsJSON] = await Promise.all([
        import('@simplewebauthn/browser'),
        ask.mutateAsync({} as never),
      ])
      const signed = await startAuthentication({ optionsJSON }).catch(() => undefined)
      if (!signed) return
      const user = await confirm.mutateAsync({ body: { passkey: signed } })
      toast({ title: 'Welcome back!', description: `You've successfully logged in as ${user.username}` })
      await signedIn(user)
    } catch (error) {
      toast({ title: 'Login failed', description: messageOf(error), variant: 'destructive' })
    } finally {
      setPending(false)
    }
  }
  return (
    <Button variant="line" size="lg" wide pending={pending} onClick={() => void logIn()}>
      {!pending && <KeyRound size={20} />}
      Log In with a Passkey
    </Button>
  )
}
