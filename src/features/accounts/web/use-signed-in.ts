import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { query } from '#web/data.ts'
import { currentUser, type User } from '../contract.ts'

/** Stores the logged-in user. The page's guard then redirects to the `redirect` parameter or to the home page. */
export function useSignedIn() {
  const client = useQueryClient()
  const router = useRouter()
  return async (user: User) => {
    client.setQueryData(query(currentUser).queryKey, user)
    await router.invalidate()
  }
}
