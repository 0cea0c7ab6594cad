import { messageOf } from '#kit/caller.ts'
import { useSend } from '#web/data.ts'
import { Badge, type BadgeVariant } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Clipped } from '#web/ui/clipped.tsx'
import { DetailLine } from '#web/ui/detail-line.tsx'
import { Note } from '#web/ui/note.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { DateText } from '#web/ui/time/date-text.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { type GuideSource, listGuideSources, readGuideSource } from '../../admin-contract.ts'
import { type SourceState, sizeText, sourceStateNames } from '../../source-rules.ts'

const looks: Record<SourceState, BadgeVariant> = {
  waiting: 'neutral',
  reading: 'outline',
  read: 'default',
  failed: 'destructive',
}
interface Props {
  source: GuideSource
  onEdit: (source: GuideSource, button: HTMLElement) => void
  onUpload: (source: GuideSource, button: HTMLElement) => void
}

/** A source with its state, and the buttons to read, upload and edit it. */
export function SourceRow({ source, onEdit, onUpload }: Props) {
  const read = useSend(readGuideSource, [listGuideSources])
  const { id, name, host, state, note, programs, bytes, channels, readAt, nextAt, enabled } = source
  const onRead = () =>
    read.mutate(
      { params: { sourceId: id } },
      {
        onSuccess: () => toast({ title: 'Read requested', description: `${name} will be read shortly.` }),
        onError: (error) => toast({ title: 'Not read', description: messageOf(error), variant: 'destructive' }),
      },
    )
  return (
    <li className="grid gap-3 border-line border-b pb-4 last:border-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="min-w-0 font-semibold">
          <Clipped wide text={name} />
        </h3>
        <Badge variant={looks[state]} waiting={state === 'reading'}>
          {sourceStateNames[state]}
        </Badge>
        {!enabled && <Badge>Automatic reading off</Badge>}
      </div>
      {note && <Note tone={state === 'failed' ? 'bad' : 'warn'}>{note}</Note>}
      <dl className="details">
        <DetailLine label="Server">{host ?? 'Uploads only'}</DetailLine>
        <DetailLine label="Programs in the file">
          {programs.toLocaleString('en-US')}
          {bytes > 0 && ` (${sizeText(bytes)})`}
        </DetailLine>
        <DetailLine label="Matched channels">{channels.toLocaleString('en-US')}</DetailLine>
        <DetailLine label="Last read">
          <DateText value={readAt} look="minute" fallback="Never" />
        </DetailLine>
        <DetailLine label="Next read">
          <DateText value={nextAt} look="minute" fallback={state === 'reading' ? 'Now' : 'On request'} />
        </DetailLine>
      </dl>
      <May needs="guide.edit">
        <div className="flex flex-wrap gap-3">
          {host !== null && (
            <Button variant="soft" size="sm" pending={read.isPending} onClick={onRead}>
              Read Now<span className="sr-only"> {name}</span>
            </Button>
          )}
          <Button variant="soft" size="sm" onClick={({ currentTarget }) => onUpload(source, currentTarget)}>
            Upload File<span className="sr-only"> to {name}</span>
          </Button>
          <Button variant="soft" size="sm" onClick={({ currentTarget }) => onEdit(source, currentTarget)}>
            Edit<span className="sr-only"> {name}</span>
          </Button>
        </div>
      </May>
    </li>
  )
}
