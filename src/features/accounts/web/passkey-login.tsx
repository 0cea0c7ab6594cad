import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { confirmPasskey, createPasskeyChallenge } from '#features/passkeys/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { useSignedIn } from './use-signed-in.ts'

/** Logs in with a passkey. The device asks which account to use. Canceling the prompt of the device is not an error. */
export function PasskeyLogin() {
  const createChallenge = useSend(createPasskeyChallenge)
  const confirm = useSend(confirmPasskey)
  const signedIn = useSignedIn()
  const [pending, setPending] = useState(false)

  const logIn = async () => {
    setPending(true)
    try {
      const [{ startAuthentication }, optionsJSON] = await Promise.all([
        import('@simplewebauthn/browser'),
        createChallenge.mutateAsync({} as never),
      ])
      const assertion = await startAuthentication({ optionsJSON }).catch(() => undefined)
      if (!assertion) return
      const user = await confirm.mutateAsync({ body: { passkey: assertion } })
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
