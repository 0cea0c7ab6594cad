import { useRouter } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { startViewing } from '#features/impersonation/admin-contract.ts'
import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '../../../ui/button/button.tsx'
import { toast } from '../../../ui/toast/toast.ts'

/** Opens the site as this customer, in a new document. */
export function ViewAsCustomerButton({ userId }: { userId: number }) {
  const router = useRouter()
  const { mutate, isPending } = useSend(startViewing)
  const start = () =>
    mutate({ params: { userId } } as never, {
      onSuccess: () => void router.navigate({ href: '/dashboard', reloadDocument: true }),
      onError: (error) =>
        toast({ title: 'Failed to view as customer', description: messageOf(error), variant: 'destructive' }),
    })
  return (
    <Button variant="line" pending={isPending} onClick={start}>
      <Eye size={18} />
      View as Customer
    </Button>
  )
}
