import { useQuery } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { getAutomation } from '../admin-automation-contract.ts'
import { automationState } from '../automation-rules.ts'

const AutomationDialog = lazy(() =>
  import('./automation-dialog.tsx').then((module) => ({ default: module.AutomationDialog })),
)
const id = 'automation-button'

/** A button that names the state of automatic confirmation and opens its settings. */
export function AutomationButton() {
  const { data } = useQuery(query(getAutomation))
  const [opened, open] = useOpenDialog<true>(id)
  if (!data) return null
  return (
    <>
      <Button id={id} variant="line" onClick={({ currentTarget }) => open(true, currentTarget)}>
        <Zap size={18} />
        Automatic: {automationState(data)}
      </Button>
      <Suspense>
        {opened && <AutomationDialog key={opened.openCount} automation={data} returnTo={opened.returnTo} />}
      </Suspense>
    </>
  )
}
