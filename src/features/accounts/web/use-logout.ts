import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getSite } from '#features/settings/contract.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { toast } from '#web/ui/toast.ts'
import { currentUser, logout } from '../contract.ts'

/** Ends the session and forgets everything that belonged to it. */
export function useLogout() {
  const client = useQueryClient()
  const router = useRouter()
  const send = useSend(logout)

  const leave = async () => {
    try {
      await send.mutateAsync({})
    } catch (error) {
      toast({ title: 'Logout failed', description: messageOf(error), variant: 'destructive' })
      return
    }
    // Away first: a page that still stands would ask again for the answers that are dropped here.
    await router.navigate({ to: '/' })
    client.setQueryData(query(currentUser).queryKey, null)
    client.removeQueries({ predicate: ({ queryKey: [id] }) => id !== currentUser.id && id !== getSite.id })
    await router.invalidate()
    toast({ title: 'Logged out', description: "You've been logged out successfully." })
  }
  return { logout: () => void leave(), pending: send.isPending }
}
