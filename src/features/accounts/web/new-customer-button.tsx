import { UserPlus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'

const NewCustomerDialog = lazy(() =>
  import('./new-customer-dialog.tsx').then((module) => ({ default: module.NewCustomerDialog })),
)

/** Opens the dialog that creates a customer. */
export function NewCustomerButton() {
  const [opened, open] = useOpenDialog<true>()
  return (
    <>
      <Button variant="line" aria-haspopup="dialog" onClick={({ currentTarget }) => open(true, currentTarget)}>
        <UserPlus size={18} />
        New Customer
      </Button>
      <Suspense>{opened && <NewCustomerDialog key={opened.openCount} returnTo={opened.returnTo} />}</Suspense>
    </>
  )
}
