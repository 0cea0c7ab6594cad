import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { query } from '#web/data.ts'
import { currentUser, type User } from '../contract.ts'

/** Takes the new user in. The page's own guard then leads on: to the `redirect` of the address, or home. */
export function useSignedIn() {
  const client = useQueryClient()
  const router = useRouter()
  return async (user: User) => {
    client.setQueryData(query(currentUser).queryKey, user)
    await router.invalidate()
  }
}
