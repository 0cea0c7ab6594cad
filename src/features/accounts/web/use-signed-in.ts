import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { query } from '#web/data.ts'
import { currentUser, type User } from '../contract.ts'
import { landingPath } from '../rules.ts'

/** Stores the logged-in user and opens the `redirect` parameter, or the first page of their role. */
export function useSignedIn() {
  const client = useQueryClient()
  const router = useRouter()
  return async (user: User) => {
    client.setQueryData(query(currentUser).queryKey, user)
    const { redirect } = router.state.location.search as { redirect?: string }
    // Users who must choose a new password are redirected by the page's guard.
    if (user.role === 'admin' && !user.mustChangePassword)
      await router.navigate({ href: landingPath(user.role, redirect) })
    await router.invalidate()
  }
}
