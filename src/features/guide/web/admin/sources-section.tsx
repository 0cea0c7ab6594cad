import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { messageOf } from '#kit/caller.ts'
import { query } from '#web/data.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { useOpenDialog } from '#web/ui/dialog/use-open-dialog.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { May } from '#web/ui/permission/may.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type GuideSource, listGuideSources } from '../../admin-contract.ts'
import { SourceRow } from './source-row.tsx'

const SourceDialog = lazy(() => import('./source-dialog.tsx').then((module) => ({ default: module.SourceDialog })))
const UploadDialog = lazy(() => import('./upload-dialog.tsx').then((module) => ({ default: module.UploadDialog })))

/** The sources of the guide, with their states and actions. */
export function SourcesSection() {
  const { data, error, refetch, isFetching } = useQuery(query(listGuideSources))
  const [edited, edit] = useOpenDialog<GuideSource | null>('new-guide-source')
  const [uploading, upload] = useOpenDialog<GuideSource>('new-guide-source')
  return (
    <Card
      title="Sources"
      titleId="guide-sources"
      className="mb-6"
      aside={
        <May needs="guide.edit">
          <Button
            id="new-guide-source"
            variant="ink"
            size="sm"
            onClick={({ currentTarget }) => edit(null, currentTarget)}
          >
            <Plus size={16} /> Add Source
          </Button>
        </May>
      }
    >
      {data && data.length > 0 && (
        <ul className="grid gap-4">
          {data.map((source) => (
            <SourceRow key={source.id} source={source} onEdit={edit} onUpload={upload} />
          ))}
        </ul>
      )}
      {data?.length === 0 && (
        <EmptyState title="No sources yet">
          Add the address of an XMLTV file, or upload one. Customers then see what is on.
        </EmptyState>
      )}
      {!data && error && (
        <ErrorState
          title="The sources could not be loaded"
          message={messageOf(error)}
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      )}
      {!data && !error && <Skeleton className="h-24" />}
      <Suspense>
        {edited && <SourceDialog key={`e${edited.openCount}`} source={edited.subject} returnTo={edited.returnTo} />}
        {uploading && (
          <UploadDialog key={`u${uploading.openCount}`} source={uploading.subject} returnTo={uploading.returnTo} />
        )}
      </Suspense>
    </Card>
  )
}
