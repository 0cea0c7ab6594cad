import { useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { CopyButton } from '#web/ui/button/copy-button.tsx'
import { DetailLine } from '#web/ui/detail-line.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import type { RowDialogProps } from '#web/ui/table/row-dialogs.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import type { AuditEntry } from '../admin-contract.ts'
import { actionText, actorName } from '../rules.ts'
import { AuditDifferences } from './audit-differences.tsx'
import { AuditTarget } from './audit-target.tsx'

/** All details of one audit entry. */
export function AdminAuditDialog({ opened: entry, returnTo }: RowDialogProps<AuditEntry>) {
  const [open, setOpen] = useState(true)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={actionText(entry.action)}
      description={`Audit log entry ${entry.id}`}
      size="wide"
      returnTo={returnTo}
      footer={<Button onClick={() => setOpen(false)}>Done</Button>}
    >
      <dl className="details mt-0!">
        <DetailLine label="Who">{actorName(entry)}</DetailLine>
        {entry.apiKey && (
          <DetailLine label="API key">
            {entry.apiKey.name} (#{entry.apiKey.id})
          </DetailLine>
        )}
        <DetailLine label="When">
          <DateText value={entry.at} look="minute" />
        </DetailLine>
        <DetailLine label="Target">
          <AuditTarget entry={entry} />
        </DetailLine>
        <DetailLine label="Request ID">
          {entry.requestId ? (
            <span className="flex flex-wrap items-center gap-2">
              <span className="num">{entry.requestId}</span>
              <CopyButton size="sm" text={entry.requestId} what="request ID" />
            </span>
          ) : (
            'None'
          )}
        </DetailLine>
      </dl>
      <AuditDifferences entry={entry} />
    </Dialog>
  )
}
