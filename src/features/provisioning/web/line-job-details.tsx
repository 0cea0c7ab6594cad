import { DetailLine } from '#web/ui/detail-line.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { UserLink } from '#web/ui/user-link.tsx'
import type { LineJob } from '../admin-contract.ts'
import { LineFacts } from './line-facts.tsx'
import { LineJobState } from './line-job-state.tsx'
import { causeNames, stepNames } from './line-texts.ts'

/** The details of a job. */
export function LineJobDetails({ job }: { job: LineJob }) {
  const isOpen = job.task === null && (job.state === 'queued' || job.state === 'unknown')
  return (
    <dl className="details mt-0!">
      <DetailLine label="State">
        <LineJobState job={job} />
      </DetailLine>
      {job.userId !== null && (
        <DetailLine label="Customer">
          <UserLink id={job.userId} username={job.username ?? '-'} />
        </DetailLine>
      )}
      <DetailLine label="Cause">
        {causeNames[job.cause]}
        {job.invoiceNumber && <span className="block text-fg-2">{job.invoiceNumber}</span>}
      </DetailLine>
      <DetailLine label="Line">{job.line ?? 'None yet'}</DetailLine>
      <DetailLine label="Created">
        <DateText value={job.createdAt} look="minute" />
      </DetailLine>
      <DetailLine label="Attempts">
        <span className="num">{job.attempts}</span>
      </DetailLine>
      {job.step && <DetailLine label="Last request">{stepNames[job.step]}</DetailLine>}
      {job.sentAt && (
        <DetailLine label="Sent">
          <DateText value={job.sentAt} look="minute" />
        </DetailLine>
      )}
      {isOpen && (
        <DetailLine label="Next try">
          <DateText value={job.dueAt} look="minute" />
        </DetailLine>
      )}
      {job.finishedAt && (
        <DetailLine label="Done">
          <DateText value={job.finishedAt} look="minute" />
        </DetailLine>
      )}
      {job.wanted && (
        <DetailLine label="Desired state" wide>
          <LineFacts facts={job.wanted} />
        </DetailLine>
      )}
      {job.lastAnswer && (
        <DetailLine label="Last message" wide>
          {job.lastAnswer}
        </DetailLine>
      )}
    </dl>
  )
}
