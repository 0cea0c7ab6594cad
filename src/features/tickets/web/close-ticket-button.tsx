import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { closeTicket, getTicket, listTickets } from '../contract.ts'

/** Marks the customer's own ticket as solved. No confirmation is needed, because a new message opens the ticket again. */
export function CloseTicketButton({ ticketId }: { ticketId: number }) {
  const { mutate, isPending } = useSend(closeTicket, [getTicket, listTickets])
  const close = () =>
    mutate(
      { params: { ticketId } },
      {
        onSuccess: () =>
          toast({ title: 'Marked as Solved', description: 'A new message opens the conversation again.' }),
        onError: (error) =>
          toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
      },
    )
  return (
    <p className="mt-4">
      <Button variant="line" size="sm" pending={isPending} onClick={close}>
        Mark as Solved
      </Button>
    </p>
  )
}
