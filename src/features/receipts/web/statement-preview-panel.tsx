import { type ReactNode, useState } from 'react'
import { formatCents } from '#kit/money.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Note } from '#web/ui/note.tsx'
import { TabPanel } from '#web/ui/tabs/tab-panel.tsx'
import { Tabs } from '#web/ui/tabs/tabs.tsx'
import type { StatementPreview } from '../admin-contract.ts'
import { formatNames, type Verdict } from '../rules.ts'
import { StatementRows } from './statement-rows.tsx'

interface Props {
  preview: StatementPreview
  fileName: string
  onChangeColumns: () => void
  /** What has to be chosen before the payments are recorded. */
  children: ReactNode
}

const tabsId = 'statement-rows'
const groups: { value: string; label: string; verdicts: Verdict[] }[] = [
  { value: 'new', label: 'New', verdicts: ['exact', 'check'] },
  { value: 'unreadable', label: 'Unreadable', verdicts: ['unreadable'] },
  { value: 'known', label: 'Already here', verdicts: ['known'] },
  { value: 'skipped', label: 'Not payments', verdicts: ['skipped'] },
]

/** Shows what a statement contains, and which payments recording it would add. */
export function StatementPreviewPanel({ preview, fileName, onChangeColumns, children }: Props) {
  const { counts, lines, booked, format, account, mapping, newCents } = preview
  const countOf = (verdicts: Verdict[]) => verdicts.reduce((sum, verdict) => sum + counts[verdict], 0)
  const shown = groups.filter(({ verdicts }) => countOf(verdicts) > 0)
  const [chosen, setChosen] = useState<string>()
  const group = shown.find(({ value }) => value === chosen) ?? shown[0]
  const added = counts.exact + counts.check
  const total = added + counts.known + counts.skipped + counts.unreadable
  return (
    <div className="grid gap-4">
      <Note tone={booked ? 'warn' : added > 0 ? 'ok' : 'info'} role="status">
        <b className="break-words">{fileName}</b>
        <span className="block text-sm">
          {formatNames[format] ?? format}
          {account && ` of ${account}`}
          {mapping && (
            <>
              .{' '}
              <Button size="sm" variant="line" onClick={onChangeColumns}>
                Change Columns
              </Button>
            </>
          )}
        </span>
        {booked ? (
          <p>{booked.by} already uploaded this file. It is not recorded again.</p>
        ) : (
          <p>
            {total === 1 ? '1 row' : `${total} rows`} read: {counts.known} already here, {counts.skipped} not incoming
            payments, <b>{added} new</b>
            {added > 0 && ` for ${formatCents(newCents)} (${counts.exact} exact, ${counts.check} to check)`}
            {counts.unreadable > 0 && `, ${counts.unreadable} cannot be read`}.
          </p>
        )}
      </Note>
      {children}
      {group && (
        <>
          <div className="payment-tabs">
            <Tabs
              id={tabsId}
              label="Rows of the statement"
              value={group.value}
              onChange={setChosen}
              tabs={shown.map(({ value, label, verdicts }) => ({ value, label, count: countOf(verdicts) }))}
            />
          </div>
          <TabPanel id={tabsId} value={group.value}>
            <StatementRows
              key={group.value}
              label={group.label}
              rows={lines.filter(({ verdict }) => group.verdicts.includes(verdict))}
              total={countOf(group.verdicts)}
            />
          </TabPanel>
        </>
      )}
    </div>
  )
}
