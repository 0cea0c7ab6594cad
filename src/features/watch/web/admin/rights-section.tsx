import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { May } from '#web/ui/permission/may.tsx'
import { AdminList } from '#web/ui/table/admin-list.tsx'
import { listRights, rightSorts } from '../../admin-contract.ts'
import { rightStateNames, rightStates } from '../../right-rules.ts'
import { rightColumns } from './right-columns.tsx'

const NewRightDialog = lazy(() =>
  import('./new-right-dialog.tsx').then((module) => ({ default: module.NewRightDialog })),
)
const rules = { sorts: rightSorts, statuses: rightStates }

/** The register of rights. */
export function RightsSection() {
  const [opened, open] = useOpenDialog<null>('channel-rights')
  return (
    <>
      <AdminList
        id="channel-rights"
        label="Rights"
        noun="rights"
        columns={rightColumns}
        rules={rules}
        load={(search) => query(listRights, { query: search })}
        searchPlaceholder="Search channel or licensor..."
        statusFilter={{ label: 'Status', all: 'All rights', nameOf: (state) => rightStateNames[state] }}
        filters={
          <May needs="watching.edit">
            <Button variant="ink" onClick={({ currentTarget }) => open(null, currentTarget)}>
              <Plus size={18} /> Record Right
            </Button>
          </May>
        }
        empty="No rights yet. Record the rights to your channels, then publish them for watching."
      />
      <Suspense>{opened && <NewRightDialog key={opened.openCount} returnTo={opened.returnTo} />}</Suspense>
    </>
  )
}
