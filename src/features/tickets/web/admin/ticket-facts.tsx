import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { issueNames, statusNames as reportStatusNames } from '#features/reports/rules.ts'
import { messageOf } from '#kit/caller.ts'
import { query, useSend } from '#web/data.ts'
import { Card } from '#web/ui/card.tsx'
import { DetailLine } from '#web/ui/detail-line.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { NativeSelect } from '#web/ui/form/native-select.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { UserLink } from '#web/ui/user-link.tsx'
import { getThread, listAllTickets, listAssignees, type Thread, updateTicket } from '../../admin-contract.ts'
import { type TicketStatus, ticketStatus } from '../../contract.ts'
import { kindNames, statusNames } from '../../rules.ts'

/** The status, the assignee and other facts of a ticket. Choosing a status or an assignee saves it. */
export function TicketFacts({ ticket }: { ticket: Thread }) {
  const id = useId()
  const { data: assignees = [] } = useQuery(query(listAssignees))
  const { mutate } = useSend(updateTicket, [getThread, listAllTickets])
  const save = (body: { status?: TicketStatus; assigneeId?: number | null }, done: string) =>
    mutate(
      { params: { ticketId: ticket.id }, body: { ...body, version: ticket.version } },
      {
        onSuccess: () => toast({ title: 'Ticket updated', description: done }),
        onError: (error) =>
          toast({ title: 'Nothing was changed', description: messageOf(error), variant: 'destructive' }),
      },
    )
  const isReported = ticket.report?.status === 'pending' || ticket.report?.status === 'reviewing'
  const gone = ticket.assigneeId !== null && !assignees.some((each) => each.id === ticket.assigneeId)
  return (
    <Card title="Ticket" titleId="ticket-facts">
      <div className="grid gap-4">
        <Field
          id={`${id}-status`}
          label="Status"
          hint={isReported && '“Solved” also resolves the report and emails its author.'}
        >
          <NativeSelect
            value={ticket.status}
            onChange={({ target }) => {
              const status = target.value as TicketStatus
              save({ status }, `The status is now: ${statusNames[status]}.`)
            }}
          >
            {ticketStatus.options.map((status) => (
              <option key={status} value={status}>
                {statusNames[status]}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Field id={`${id}-assignee`} label="Assigned to">
          <NativeSelect
            value={ticket.assigneeId ?? ''}
            onChange={({ target }) => {
              const assigneeId = target.value === '' ? null : Number(target.value)
              const name = assignees.find((each) => each.id === assigneeId)?.username
              save({ assigneeId }, name ? `The ticket is assigned to ${name}.` : 'The ticket is not assigned.')
            }}
          >
            <option value="">Not assigned</option>
            {gone && <option value={ticket.assigneeId!}>{ticket.assignee}</option>}
            {assignees.map((each) => (
              <option key={each.id} value={each.id}>
                {each.username}
              </option>
            ))}
          </NativeSelect>
        </Field>
      </div>
      <dl className="details">
        <DetailLine label="From">
          {ticket.userId === null ? ticket.from : <UserLink id={ticket.userId} username={ticket.from} />}
        </DetailLine>
        <DetailLine label="Email">
          <span className="wrap-anywhere">{ticket.email}</span>
        </DetailLine>
        <DetailLine label="Kind">{kindNames[ticket.kind]}</DetailLine>
        <DetailLine label="Received">
          <DateText value={ticket.createdAt} />
        </DetailLine>
        {ticket.report && (
          <DetailLine label="Report">
            <Link to="/admin" search={{ tab: 'reports', search: `#${ticket.report.id}` }} className="link">
              {issueNames[ticket.report.issue]}, {reportStatusNames[ticket.report.status]}
            </Link>
          </DetailLine>
        )}
        {ticket.inquiryId !== null && (
          <DetailLine label="Inquiry">
            <Link to="/admin/inquiries" search={{ search: `#${ticket.inquiryId}` }} className="link">
              #{ticket.inquiryId}
            </Link>
          </DetailLine>
        )}
      </dl>
    </Card>
  )
}
