import { useQuery } from '@tanstack/react-query'
import { currentUser } from '#features/accounts/contract.ts'
import { getSetup, type Setup, setupSteps } from '#features/desk/admin-overview-contract.ts'
import { query } from '#web/data.ts'
import { useMay } from '#web/ui/permission/use-may.ts'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'

const dayMs = 86_400_000

/** Returns the setup while steps are open, unless the administrator has hidden it. `later` hides it in this browser for a day. */
export function useSetup(): { setup: Setup | undefined; later: () => void } {
  const { data: user } = useQuery(query(currentUser))
  const may = useMay()
  const { data } = useQuery({ ...query(getSetup), enabled: may('settings.read') })
  const [hiddenUntil, setHiddenUntil] = useLocalStorage(`setup-hidden-until-${user?.id ?? 0}`)
  const isOpen = data && data.done.length < setupSteps.length && Date.now() >= Number(hiddenUntil || 0)
  return {
    setup: isOpen ? data : undefined,
    later: () => setHiddenUntil(String(Date.now() + dayMs)),
  }
}
